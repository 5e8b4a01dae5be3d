import { describe, expect, it } from 'vitest'
import type { AnswerSentence, AnswerSource, StoredEvidence } from '#shared/contract/conversations.ts'
import { answerSections, citedPapers, contextOf, wordParts, otherQuotes, quotesOf, splitEnd } from './answer-parts.ts'

const evidence = (document_id: string, quote = 'Naps help.', id = quote): StoredEvidence => ({
  id,
  document_id,
  text_version: 1,
  page: 2,
  start: 0,
  end: quote.length,
  quote,
  prefix: '',
  suffix: '',
  match: 'exact',
  score: 1,
  lost: false,
})
const source = (number: number, document_id: string): AnswerSource => ({
  number,
  document_id,
  title: null,
  authors: '',
  year: null,
  evidence_level: null,
  retracted: false,
  citation: { html: '', text: '', style: null },
})
const sentence = (group: number | null, ...from: StoredEvidence[]): AnswerSentence => ({
  text: 'Naps help.',
  evidence: from,
  marks: [],
  group,
})

describe('answerSections', () => {
  it('answerSections starts a section at each change of the group, and names known groups', () => {
    const sentences = [sentence(null), sentence(0), sentence(0), sentence(1), sentence(null)]
    const sections = answerSections({ kind: 'answer', sentences, groups: ['2 papers report a gain'] })
    expect(sections.map(({ label, sentences: own }) => [label, own.map(({ index }) => index)])).toEqual([
      [null, [0]],
      ['2 papers report a gain', [1, 2]],
      [null, [3]],
      [null, [4]],
    ])
  })

  it('answerSections names the quotes of the built-in model that have no side beside sides (LIB-16)', () => {
    const labelsOf = (sentences: AnswerSentence[], groups: string[]) =>
      answerSections({ kind: 'passages', sentences, groups }).map(({ label }) => label)
    const groups = ['1 paper reports a gain', '1 paper reports no gain']
    expect(labelsOf([sentence(0), sentence(1), sentence(null)], groups)).toEqual([...groups, 'Other passages'])
    expect(labelsOf([sentence(null)], [])).toEqual([null])
  })
})

describe('citedPapers', () => {
  it('citedPapers returns each paper once, by its number, with its first quote', () => {
    const cited = citedPapers(sentence(null, evidence('b', 'One.'), evidence('a', 'Two.'), evidence('b', 'Three.')), [
      source(2, 'b'),
      source(1, 'a'),
      source(3, 'c'),
    ])
    expect(cited.map((one) => [one.source.number, one.evidence.quote])).toEqual([
      [1, 'Two.'],
      [2, 'One.'],
    ])
  })
})

describe('splitEnd', () => {
  it.each([
    ['Naps help memory.', 'Naps help ', 'memory.'],
    ['Memory.', '', 'Memory.'],
    ['Naps help. ', 'Naps ', 'help.'],
    [`See ${'x'.repeat(30)}`, `See ${'x'.repeat(10)}`, 'x'.repeat(20)],
  ])('splitEnd of "%s" ends with the last word', (text, start, end) => expect(splitEnd(text)).toEqual([start, end]))
})

describe('wordParts', () => {
  it.each([
    ['kept 18% more of 118%', ['18%'], ['kept ', '*18%', ' more of 118%']],
    ['8 of 8.5 and 18', ['8'], ['*8', ' of 8.5 and 18']],
    ['no words', [], ['no words']],
    ['1.5 and 1', ['1', '1.5'], ['*1.5', ' and ', '*1']],
  ])('wordParts of "%s" marks %o', (text, words, parts) =>
    expect(wordParts(text, words).map((part) => (part.isMarked ? `*${part.text}` : part.text))).toEqual(parts),
  )
})

describe('quotesOf', () => {
  it('quotesOf returns each place of a paper once', () => {
    const sentences = [
      sentence(null, evidence('a', 'One.', '1'), evidence('b', 'Two.', '2')),
      sentence(null, evidence('a', 'One.', '3')),
    ]
    expect(quotesOf({ sentences }, 'a').map(({ id }) => id)).toEqual(['1'])
  })
})

describe('otherQuotes', () => {
  it('otherQuotes returns each place once, without the places of the sentence', () => {
    const first = sentence(null, evidence('a', 'One.', '1'))
    const other = sentence(null, evidence('a', 'One.', '2'), evidence('b', 'Two.', '3'))
    const last = sentence(null, evidence('b', 'Two.', '4'))
    expect(otherQuotes([first, other, last], first).map((one) => one.evidence.id)).toEqual(['3'])
  })
})

describe('contextOf', () => {
  it('contextOf cuts a full context at whole words and leaves a short one', () => {
    const prefix = 'ong words before the quoted place'
    const suffix = ' and words after the quoted plac'
    expect(contextOf({ ...evidence('a'), prefix: prefix.slice(0, 32), suffix })).toEqual({
      before: 'words before the quoted plac',
      after: ' and words after the quoted',
    })
    // A line break counts as a space.
    expect(contextOf({ ...evidence('a'), prefix: 'mized trial of breaks at\nnight: ', suffix: '' }).before).toBe(
      'trial of breaks at night: ',
    )
    expect(contextOf({ ...evidence('a'), prefix: 'In all, ', suffix: '.' })).toEqual({ before: 'In all, ', after: '.' })
  })

  it('contextOf ends at a blank line, so that a title or a heading is not read as a part of the sentence', () => {
    const prefix = 'mized trial of breaks at night\n\n'
    const suffix = ' At noon.\n \n2. Methods of the study'
    expect(contextOf({ ...evidence('a'), prefix, suffix })).toEqual({ before: '', after: ' At noon.' })
    expect(contextOf({ ...evidence('a'), prefix: 'of night work\n\nIn all of the ', suffix: '' }).before).toBe(
      'In all of the ',
    )
  })
})
