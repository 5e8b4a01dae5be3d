import { describe, expect, it } from 'vitest'
import { sourceWords, whyWords } from './why-words.ts'

const none = { why: null, open_access: false, cited_by: 0 }

describe('whyWords', () => {
  it.each([
    [none, ''],
    [
      {
        ...none,
        why: { terms: ['declarative memory', 'adults', 'sleep'], like: null, recent: true },
        open_access: true,
      },
      'Mentions declarative memory, adults and sleep. Published in the last two years, free to read.',
    ],
    [
      { ...none, why: { terms: [], like: null, recent: true } },
      'Found by a search for the research question. Published in the last two years.',
    ],
    [{ ...none, why: { terms: [], like: { document_id: 'd', title: 'Kept' }, recent: false } }, ''],
    [{ ...none, cited_by: 1240 }, 'Cited 1,240 times.'],
    [{ ...none, why: { terms: ['sleep'], like: null, recent: false }, cited_by: 49 }, 'Mentions sleep.'],
  ])('The reasons %j become sentences', (recommendation, words) => {
    expect(whyWords(recommendation)).toBe(words)
  })
})

describe('sourceWords', () => {
  it('The source names up to three authors and counts more', () => {
    expect(sourceWords({ authors: ['A', 'B'], journal_name: 'J' })).toBe('A and B · J')
    expect(sourceWords({ authors: ['A', 'B', 'C', 'D'], journal_name: null })).toBe('A and 3 others')
    expect(sourceWords({ authors: [], journal_name: null })).toBe('')
  })
})
