import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findPassage } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { analyzeExtractively } from './analysis.ts'
import { isReadable } from './sentences.ts'

const PAPER = `[Page 1]
Annals of Tea Research (2023) 12:44–51

Green tea before bed and the sleep of night nurses

Ann Bee1, Carl Dee2

1 University of Oslo, Oslo, Norway. 2 College of Tea, Leeds, England.

Published online: 4 May 2023. https://doi.org/10.5555/atr.2023.44

Abstract

Background: Night nurses sleep badly. Previous randomised controlled trials studied coffee.

Objective: This study investigates whether green tea before bed prolongs the sleep of night nurses.

Methods: We surveyed 212 night nurses by an online questionnaire survey in 2022.

Results: Nurses who drank tea slept 38 minutes longer than nurses who did not (p < 0.01). Headaches were 12% less frequent among tea drinkers.

Conclusions: Green tea is associated with longer sleep in night nurses. Hospitals should offer green tea at the end of a night shift.

Keywords: green tea; sleep; nursing; shift work

1 Introduction

Sleep after a night shift is short. Coffee was found to shorten sleep significantly in earlier work (Smith 2012).

[Page 2]
2 Methods

We invited all nurses of three hospitals by e-mail and asked them to keep a diary for two weeks.

3 Results

Of the nurses, 140 drank tea at least three times a week. Tea drinkers fell asleep 9 minutes sooner than the others (95% CI 4 to 14).

Figure 1: Sleep of tea drinkers and other nurses was longer than expected.

Tea drinkers 420 38 Others 382 41

4 Discussion

We found that black tea had no effect on the length of sleep. Managers of hospitals should make green tea available on every ward. Future research should use actigraphy.

5 Limitations

The survey should be interpreted with caution, since nurses may have reported longer sleep than they had.

References

[1] Smith J, Doe A. Coffee reduced sleep by 30% in a randomised controlled trial. J Coffee. 2012;3(1):1–9. doi:10.5555/coffee.1
`

describe('analyzeExtractively', () => {
  const { result, quotes, model } = analyzeExtractively({ text: PAPER })

  it('analyzeExtractively reads title, DOI, date and journal of the first page', () => {
    expect(result).toMatchObject({
      title: 'Green tea before bed and the sleep of night nurses',
      doi: '10.5555/atr.2023.44',
      publication_date: '2023-05-04',
      journal: 'Annals of Tea Research',
      keywords: ['green tea', 'sleep', 'nursing', 'shift work'],
      level_of_evidence: 'Level 4: Cross-sectional study or survey',
    })
    expect(model).toBe('Built-in (offline, extractive)')
  })

  it('analyzeExtractively summarizes in whole sentences with aim, method, result and conclusion', () => {
    expect(result.summary).toBe(
      'This study investigates whether green tea before bed prolongs the sleep of night nurses. ' +
        'We surveyed 212 night nurses by an online questionnaire survey in 2022. ' +
        'Nurses who drank tea slept 38 minutes longer than nurses who did not (p < 0.01). ' +
        'Headaches were 12% less frequent among tea drinkers. ' +
        'Green tea is associated with longer sleep in night nurses. ' +
        'Hospitals should offer green tea at the end of a night shift.',
    )
  })

  it('analyzeExtractively takes findings as insights: no background, method, caption, advice, reference or others’ work', () => {
    expect(result.insights).toEqual([
      'Nurses who drank tea slept 38 minutes longer than nurses who did not (p < 0.01).',
      'Headaches were 12% less frequent among tea drinkers.',
      'Green tea is associated with longer sleep in night nurses.',
      'Tea drinkers fell asleep 9 minutes sooner than the others (95% CI 4 to 14).',
      'We found that black tea had no effect on the length of sleep.',
    ])
  })

  it('analyzeExtractively recommends only advice for practice', () => {
    expect(result.recommendation).toBe(
      'Hospitals should offer green tea at the end of a night shift. Managers of hospitals should make green tea available on every ward.',
    )
  })

  it('analyzeExtractively writes a post of a quoted finding and the title, within the limit', () => {
    expect(result.social_post).toMatch(/^“.+” — Green tea before bed and the sleep of night nurses/)
    expect(result.social_post.length).toBeLessThanOrEqual(280)
    expect(result.insights.some((insight) => result.social_post.includes(insight))).toBe(true)
  })

  it('analyzeExtractively gives each statement a quote of the text', () => {
    const pages = splitPages(PAPER)
    expect(quotes.length).toBeGreaterThan(15)
    for (const { quote, statement } of quotes)
      expect([statement, findPassage(pages, quote!).match]).not.toEqual([statement, 'none'])
    expect(quotes.find((one) => one.field === 'evidence_level')?.quote).toBe(
      'We surveyed 212 night nurses by an online questionnaire survey in 2022.',
    )
  })

  it('analyzeExtractively is deterministic, also for text wrapped to 72 columns', () => {
    expect(analyzeExtractively({ text: PAPER }).result).toEqual(result)
    const wrapped = PAPER.replace(/(.{40,72}) /g, '$1\n')
    const again = analyzeExtractively({ text: wrapped }).result
    expect([again.title, again.doi, again.summary, again.insights]).toEqual([
      result.title,
      result.doi,
      result.summary,
      result.insights,
    ])
  })

  it('analyzeExtractively returns empty fields for an empty text', () => {
    const empty = {
      title: null,
      authors: [],
      doi: null,
      publication_date: null,
      journal: null,
      summary: '',
      recommendation: '',
      level_of_evidence: 'Unknown',
      keywords: [],
      social_post: '',
      insights: [],
    }
    for (const text of ['', '[Page 1]\n', '   \n\n ']) expect(analyzeExtractively({ text }).result).toEqual(empty)
  })

  it('analyzeExtractively reads a paper without sections', () => {
    const text =
      'On tea\n\nTea is warm and it is drunk in many kitchens of the world. We found that tea drinkers slept 20 minutes longer than others. The study took place in nine kitchens of one town.'
    const { result } = analyzeExtractively({ text })
    expect(result.title).toBe('On tea')
    expect(result.insights).toContain('We found that tea drinkers slept 20 minutes longer than others.')
    expect(result.recommendation).toBe('')
  })

  it('analyzeExtractively reads keywords that a narrow column prints below each other', () => {
    const keywordsOf = (printed: string) =>
      analyzeExtractively({ text: PAPER.replace('Keywords: green tea; sleep; nursing; shift work', printed) }).result
        .keywords
    const column = 'Keywords: green tea\n\nsleep\n\nshift work at night\n\nCorresponding author: Ann Bee'
    expect(keywordsOf(column)).toEqual(['green tea', 'sleep', 'shift work at night'])
    expect(keywordsOf('Keywords: green tea; sleep\n\nwas studied for the first time')).toEqual(['green tea', 'sleep'])
  })

  it('analyzeExtractively reads another language without cues: central sentences, no advice, no level', () => {
    const text = `Grüner Tee und der Schlaf von Pflegekräften\n\nZusammenfassung\n\nPflegekräfte schlafen nach der Nachtschicht schlecht. Wir befragten 212 Pflegekräfte zu ihrem Schlaf und zu grünem Tee. Pflegekräfte mit grünem Tee schliefen 38 Minuten länger als die anderen. Grüner Tee hängt mit längerem Schlaf der Pflegekräfte zusammen.\n\nSchlüsselwörter: Grüner Tee; Schlaf\n\n1 Einleitung\n\nDer Schlaf nach der Nachtschicht ist kurz und die Pflegekräfte sind am Tag darauf müde.`
    const { result } = analyzeExtractively({ text })
    expect(result).toMatchObject({
      title: 'Grüner Tee und der Schlaf von Pflegekräften',
      keywords: ['Grüner Tee', 'Schlaf'],
      recommendation: '',
      level_of_evidence: 'Unknown',
    })
    expect(result.summary).toContain('Wir befragten 212 Pflegekräfte zu ihrem Schlaf und zu grünem Tee.')
    expect(result.insights.length).toBeGreaterThan(0)
  })

  it.each([
    ['a line without end', 'a'.repeat(300_000)],
    ['open brackets', '('.repeat(200_000)],
    ['numbers like headings', '1. A '.repeat(60_000)],
    ['the start of DOIs', 'doi 10.1234/'.repeat(50_000)],
    ['short lines', 'Ab cd\n'.repeat(100_000)],
    ['one sentence over and over', 'We found that tea was significantly better than water. '.repeat(20_000)],
  ])('analyzeExtractively terminates on %s', (_, text) => {
    expect(analyzeExtractively({ text }).result.level_of_evidence).toBe('Unknown')
  })

  it('analyzeExtractively reads the fixture paper', async () => {
    const text = await readFile(new URL('../../../tests/fixtures/paper.txt', import.meta.url), 'utf8')
    const { result } = analyzeExtractively({ text })
    expect(result).toMatchObject({
      title: 'Evening group walking for older adults with poor sleep: a randomised controlled trial',
      doi: '10.5555/jeht.2025.0147',
      publication_date: '2025-03-14',
      journal: 'Journal of Everyday Health Trials',
      level_of_evidence: 'Level 2: Randomised controlled trial',
    })
    expect(result.keywords).toContain('actigraphy')
    expect(result.insights.length).toBeGreaterThanOrEqual(4)
    expect(result.insights.every(isReadable)).toBe(true)
    expect(result.recommendation).toContain('Programmes should plan for at least three walks a week')
  })
})
