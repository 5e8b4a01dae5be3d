import { describe, expect, it } from 'vitest'
import { findAuthorKeywords, splitKeywords } from './author-keywords.ts'
import { findKeyphrases } from './keyphrases.ts'
import { detectLanguage, stopwordsOf } from './language.ts'
import { readParagraphs } from './paragraphs.ts'
import { placeParagraphs } from './sections.ts'
import { LONGEST_POST, writeSocialPost } from './social-post.ts'
import type { Statement } from './statements.ts'
import { centrality, chooseDiverse, sentenceVectors } from './textrank.ts'

const keywordsIn = (text: string) =>
  findAuthorKeywords(placeParagraphs(readParagraphs([{ page: 1, text, start: 0 }])), null)
const finding = (text: string): Statement => ({ text, page: 1, role: 'results', move: null, order: 0 })

describe('findAuthorKeywords', () => {
  it.each([
    ['on their line', 'On tea\n\nAbstract\n\nTea is warm.\n\nKeywords: green tea, sleep; nurses\n\n1 Introduction'],
    [
      'under their heading',
      'On tea\n\nKEYWORDS\n\ngreen tea; sleep; nurses\n\nACM Reference Format:\n\nAnn Bee. 2024. On tea.',
    ],
    ['one below the other', 'On tea\n\nKeywords\n\ngreen tea\n\nsleep\n\nnurses\n\n1 Introduction'],
    ['after the subjects', 'On tea\n\nSubjects Food Science, Public Health Keywords Green tea, Sleep, Nurses'],
  ])('findAuthorKeywords reads keywords printed %s', (_, text) => {
    expect(keywordsIn(text).map((word) => word.toLowerCase())).toEqual(
      text.includes('; nurses\n\n1') ? ['green tea, sleep', 'nurses'] : ['green tea', 'sleep', 'nurses'],
    )
  })

  it('findAuthorKeywords returns none when none are printed', () => {
    expect(keywordsIn('On tea\n\nWe searched by the keywords tea and sleep.')).toEqual([])
  })
})

describe('splitKeywords', () => {
  it('splitKeywords uses the strongest separator, drops repetitions and entries that are too long', () => {
    expect(splitKeywords('Tea · Sleep · tea · COVID-19.')).toEqual(['Tea', 'Sleep', 'COVID-19'])
    expect(splitKeywords(`a whole sentence that says far too much for one, tea, ${'x'.repeat(80)}`)).toEqual(['tea'])
    expect(splitKeywords('')).toEqual([])
    expect(splitKeywords(`Tea${' '.repeat(200_000)};${'\n'.repeat(200_000)}Sleep`)).toEqual([])
    expect(splitKeywords(`Tea ${'\t'.repeat(5000)}; Sleep`)).toEqual(['Tea', 'Sleep'])
  })
})

describe('findKeyphrases', () => {
  const sentences = [
    'Green tea drinkers slept longer than coffee drinkers.',
    'Sleep quality improved in green tea drinkers, and sleep quality is what matters.',
    'The study shows that green tea drinkers report better sleep quality.',
  ]

  it('findKeyphrases prefers whole phrases that title and text share, without their fragments (ANAL-16)', () => {
    const phrases = findKeyphrases(sentences, 'Sleep quality of green tea drinkers', '', 'eng').map((one) =>
      one.toLowerCase(),
    )
    expect(phrases).toContain('sleep quality')
    expect(phrases).toContain('green tea drinkers')
    expect(phrases).not.toContain('drinkers')
    expect(phrases).not.toContain('study')
  })

  it('findKeyphrases uses the runs between stopwords in another language', () => {
    const german = ['Der grüne Tee verbessert die Schlafqualität.', 'Die Schlafqualität ist mit grüner Tee besser.']
    expect(detectLanguage(german.join(' '))).toBe('deu')
    expect(findKeyphrases(german, 'Schlafqualität', '', 'deu')).toContain('Schlafqualität')
  })
})

describe('centrality and chooseDiverse', () => {
  it('centrality ranks a repeated sentence first, and chooseDiverse skips its repetitions', () => {
    const texts = [
      'Green tea improves sleep.',
      'Green tea improves sleep of nurses.',
      'Sleep of nurses is short.',
      'Clouds pass by.',
    ]
    const vectors = sentenceVectors(texts, stopwordsOf('eng'))
    const ranks = centrality(vectors)
    expect(ranks.indexOf(Math.max(...ranks))).toBe(1)
    expect(chooseDiverse(ranks, vectors, 4)).not.toContain(0)
  })
})

describe('writeSocialPost', () => {
  it('writeSocialPost quotes the finding, names the title and adds the address if it fits', () => {
    const { text } = writeSocialPost('On tea', [finding('Tea helps.')], '10.5555/1')
    expect(text).toBe('“Tea helps.” — On tea https://doi.org/10.5555/1')
  })

  it('writeSocialPost skips a finding that does not fit and never exceeds the limit', () => {
    const long = finding(`Tea ${'really '.repeat(60)}helps.`)
    const post = writeSocialPost('Tea '.repeat(100).trim(), [long, finding('Tea helps.')], '10.5555/1')
    expect(post.finding?.text).toBe('Tea helps.')
    expect(post.text.length).toBeLessThanOrEqual(LONGEST_POST)
    expect(writeSocialPost(null, [long], null)).toEqual({ text: '', finding: null })
  })
})
