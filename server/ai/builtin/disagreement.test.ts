import { expect, it } from 'vitest'
import { quoteSides } from './disagreement.ts'
import type { PaperPassage } from './paper-passage.ts'

const QUESTION = 'Does aspirin reduce the risk of stroke?'

/** Returns the passages of papers and their sentences as quotes, and the first sentence of each paper as shown. */
function candidates(papers: readonly (readonly (readonly [text: string, value: number])[])[]) {
  const passages = papers.map((sentences, at): PaperPassage => ({
    document_id: `${at}`,
    content: sentences.map(([text]) => text).join(' '),
    score: 0.5,
    section: null,
    authors: [],
    similarity: 0.5,
    page_number: 1,
    page_offset: 0,
    start: 0,
    end: 0,
  }))
  const quotes = papers.map((sentences, passage) => sentences.map(([text, value]) => ({ passage, text, value })))
  return { shown: quotes.map(([first]) => first!), quotes: quotes.flat(), passages, most: 6 }
}

it('quoteSides shows the best quote of a paper whose finding belongs to no side', () => {
  const [less, more] = ['Aspirin reduced the risk of stroke.', 'Aspirin increased the risk of stroke.']
  const best = 'Of the 900 adults who took aspirin, 31 had a stroke.'
  const papers = candidates([
    [[less, 1]],
    [[more, 0.95]],
    [
      [best, 0.9],
      ['Aspirin reduced stroke severity.', 0.85],
    ],
    [
      ['The adults took aspirin for two years.', 0.8],
      [less, 0.75],
    ],
  ])
  expect(quoteSides(QUESTION, papers)).toEqual([
    { passage: 0, text: less, side: 'a decrease in the risk of stroke' },
    { passage: 3, text: less, side: 'a decrease in the risk of stroke' },
    { passage: 1, text: more, side: 'an increase in the risk of stroke' },
    { passage: 2, text: best, side: null },
  ])
})
