import { expect, it } from 'vitest'
import { alignmentsOf } from './align-words.ts'
import { type ComparedQuotes, quotePapers } from './library-answer.ts'
import type { PaperPassage } from './paper-passage.ts'

const passage = (document_id: string, content: string, score: number): PaperPassage => ({
  document_id,
  content,
  score,
  section: null,
  authors: [],
  similarity: score,
  page_number: 1,
  page_offset: 0,
  start: 0,
  end: content.length,
})

/** Returns the comparison of a question of one word that has these cosines to the quotable sentences. */
const compared = (cosines: number[]): ComparedQuotes => {
  const words = [{ word: 'asleep', term: 'asleep', cosines }]
  return { places: [...cosines.keys()], words, inPassage: words }
}
const weights = [['asleep', 2]] as const
const question = 'Were the children asleep?'

it('quotePapers puts the paper with the best sentence first, also from a later passage', () => {
  const passages = [
    passage('a', 'The children of the village went to the market in the morning.', 0.6),
    passage('b', 'The city council discussed the children in a long meeting.', 0.55),
    passage('b', 'Pupils who napped after lunch dozed for half an hour.', 0.5),
  ]
  const quotes = quotePapers({ before: null, question, passages, weights, compared: compared([0.4, 0.4, 0.9]) })
  expect(quotes[0]).toEqual({ passage: 2, text: 'Pupils who napped after lunch dozed for half an hour.' })
  expect(quotes.map(({ passage }) => passage)).not.toContain(1)
})

it('quotePapers quotes the sentence of a paper that the cross-encoder prefers, and ranks papers without its scores', () => {
  const passages = [
    passage('a', 'Most of the children were asleep at noon. In all, 12 of them dozed after lunch.', 0.6),
    passage('b', 'The children of the other school were asleep at noon.', 0.6),
  ]
  const asked = { before: null, question, passages, weights }
  const read = { ...compared([0.9, 0.7, 0.8]), scores: [-5, 2, 3] }
  expect(quotePapers({ ...asked, compared: { ...read, scores: null } })[0]).toEqual({
    passage: 0,
    text: 'Most of the children were asleep at noon.',
  })
  expect(quotePapers({ ...asked, compared: read }).map(({ text }) => text)).toEqual([
    'In all, 12 of them dozed after lunch.',
    'The children of the other school were asleep at noon.',
  ])
})

it('quotePapers quotes one sentence of a paper, no question of a paper, and no paper that is far from the question', () => {
  const passages = [
    passage('a', 'Children in Alder dozed after lunch.', 0.6),
    passage('a', 'Children in Bram dozed after dinner. Were the children asleep in all of these schools?', 0.6),
    passage('b', 'The price of barley rose in both of the years.', 0.1),
  ]
  const quotes = quotePapers({ before: null, question, passages, weights, compared: compared([0.9, 0.8, 0.95, 0.1]) })
  expect(quotes.map(({ text }) => text)).toEqual(['Children in Alder dozed after lunch.'])
})

it.each([
  'It is still unclear whether the children were asleep in the morning.',
  'Whether the children were asleep in the morning remains unknown.',
  'Naps are recommended for children, although their sleep in the morning has rarely been measured.',
  'Evidence on children who are asleep in the morning is scarce.',
  'Very little is known about children who are asleep.',
  'Longer studies of children who are asleep in the morning are needed before naps can be recommended.',
])('quotePapers quotes a report and not the statement that it is not known: %s', (gap) => {
  const passages = [passage('a', `${gap} In the morning, 12 of the children dozed.`, 0.6), passage('b', gap, 0.6)]
  const asked = { passages, weights, compared: compared([0.95, 0.7, 0.95]) }
  expect(quotePapers({ before: null, question, ...asked })).toEqual([
    { passage: 0, text: 'In the morning, 12 of the children dozed.' },
  ])
  const asksForIt = 'What is not known about children who are asleep?'
  expect(quotePapers({ before: null, question: asksForIt, ...asked }).map(({ text }) => text)).toEqual([gap, gap])
  // Without a report, the statement is the answer.
  expect(
    quotePapers({ before: null, question, ...asked, passages: passages.slice(1), compared: compared([0.95]) }),
  ).toHaveLength(1)
})

it.each(['Posted June 5, 2023. https://doi.org/10.5555/pz.2023.0417', 'First version: February 6, 2016'])(
  'quotePapers never quotes the line of a publisher: %s',
  (line) => {
    const passages = [passage('a', `${line}\nThe children were awake in the morning and dozed at noon.`, 0.6)]
    const quotes = quotePapers({ before: null, question, passages, weights, compared: compared([0.9]) })
    expect(quotes.map(({ text }) => text)).toEqual(['The children were awake in the morning and dozed at noon.'])
  },
)

it('quotePapers quotes the best sentence of the search for a passage without quotable sentences', () => {
  const passages = [passage('a', 'Naps in nurseries', 0.6)]
  expect(quotePapers({ before: null, question, passages, weights })).toEqual([
    { passage: 0, text: 'Naps in nurseries' },
  ])
})

it('quotePapers reads a table row with its caption', () => {
  const table = 'Table 3. Minutes asleep by group\nGroup\tMinutes\nWalkers\t41\nOthers\t29'
  const passages = [passage('a', table, 0.5), passage('b', 'The children of the village went to the market.', 0.5)]
  const words = [{ word: 'asleep', term: 'asleep', cosines: [0.2, 0.2, 0.3] }]
  const inPassage = [{ word: 'asleep', term: 'asleep', cosines: [0.95, 0.95, 0.3] }]
  const quotes = quotePapers({
    before: null,
    question,
    passages,
    weights,
    compared: { places: [0, 1, 2], words, inPassage },
  })
  expect(alignmentsOf(inPassage, new Map(weights))[0]).toBeGreaterThan(0.9)
  expect(quotes.map(({ text }) => text)).toEqual(['Walkers\t41'])
})

it.each([
  ['a row without a word of the question', 'Walkers\t41', 'Most children slept until the morning bell.'],
  ['not a row with a word of the question', 'Children\t41', 'Children\t41'],
])('quotePapers quotes a sentence of the paper instead of %s', (_, row, quoted) => {
  const table = `Table 3. Minutes asleep by group\n${row}`
  const passages = [passage('a', table, 0.5), passage('a', 'Most children slept until the morning bell.', 0.5)]
  const words = [{ word: 'asleep', term: 'asleep', cosines: [0.2, 0.9] }]
  const inPassage = [{ word: 'asleep', term: 'asleep', cosines: [0.95, 0.9] }]
  const compared = { places: [0, 1], words, inPassage }
  const asked = { passages, weights: [['asleep', 2] as const, ['children', 0.1] as const], compared }
  expect(quotePapers({ before: null, question, ...asked }).map(({ text }) => text)).toEqual([quoted])
})

it('quotePapers answers a general question by the part of the paper, not by its announcement or by the work of others', () => {
  const limits = 'Limitations\nThe study has two limitations. The nurses came from one hospital only.'
  const others = 'Earlier work of two groups had limitations as well [4].'
  const quotes = quotePapers({
    before: null,
    question: 'What are the limitations of the studies?',
    passages: [
      passage('a', limits, 0.6),
      passage('b', others, 0.6),
      passage('c', 'Limitations: Only mornings were studied.', 0.5),
    ],
    weights: [],
  })
  expect(quotes.map(({ text }) => text)).toEqual([
    'The nurses came from one hospital only.',
    'Only mornings were studied.',
  ])
})

it('quotePapers leaves out a paper without the name of the question, if another paper has it', () => {
  const passages = [
    passage('a', 'In Turin, 120 children were asleep in the morning.', 0.5),
    passage('b', 'In Genoa, 240 children were asleep in the morning.', 0.6),
    passage('c', 'In Milan, 90 children were asleep in the morning.', 0.6),
  ]
  const papersOf = (asked: string) =>
    new Set(
      quotePapers({ before: null, question: asked, passages, weights, compared: compared([0.9, 0.9, 0.9]) }).map(
        (one) => one.passage,
      ),
    )
  expect(papersOf('How many children were asleep in Turin?')).toEqual(new Set([0]))
  expect(papersOf('Were more children asleep in Turin or in Milan?')).toEqual(new Set([0, 2]))
  expect(papersOf('How many children were asleep in Naples?')).toEqual(new Set([0, 1, 2]))
})

it('quotePapers prefers a finding of the paper to the finding of another paper', () => {
  const passages = [
    passage('a', 'Children were asleep in the morning (Rai 2010). The children of the town were asleep at noon.', 0.5),
  ]
  const quotes = quotePapers({ before: null, question, passages, weights, compared: compared([0.9, 0.85]) })
  expect(quotes.map(({ text }) => text)).toEqual(['The children of the town were asleep at noon.'])
})

it('quotePapers answers a question that refers to the previous one from the papers about the previous question', () => {
  const passages = [
    passage('a', 'A ticket for the night bus costs 2 euros in both of the towns.', 0.6),
    passage('b', 'The machine for lung ultrasound costs 2,400 euros and lasts for years.', 0.5),
  ]
  const asked = { question: 'What did it cost?', passages, weights, compared: compared([0.9, 0.8]) }
  const papersOf = (before: string | null) => quotePapers({ before, ...asked }).map((one) => one.passage)
  expect(papersOf(null)).toEqual([0, 1])
  expect(papersOf('How accurate is lung ultrasound?')).toEqual([1])
})

it('quotePapers prefers a number if the question asks for a change, but does not count the ages of a group', () => {
  const passages = [
    passage('a', 'Napping improved the sleep of children aged 6 years and over.', 0.6),
    passage('a', 'Napping improved the sleep of these children by 12 minutes.', 0.6),
  ]
  const asked = { before: null, question: 'How did napping change the sleep of children?', passages, weights }
  expect(quotePapers({ ...asked, compared: compared([0.9, 0.88]) })[0]!.passage).toBe(1)
})
