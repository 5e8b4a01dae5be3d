import { expect, it } from 'vitest'
import { answersAmong, quotableSentences, textsToCompare } from './quotable-sentences.ts'

const passage = (content: string) => ({
  content,
  page_number: 1,
  page_offset: 100,
  similarity: 0.5,
  start: 100,
  end: 110,
})

it('textsToCompare returns the quotable sentences, and with table rows all texts of the passage as one more unit', () => {
  const prose = passage('and not this. The walkers slept longer in the summer months. Table 2. Falls by month.')
  const table = passage('Table 3. Falls by group\nGroup\tWomen\tMen\nWalkers\t4\t5')
  const sentences = [{ start: 114, end: 160, similarity: 0.7 }]
  expect(textsToCompare([{ ...prose, sentences }, table])).toEqual({
    texts: [
      'The walkers slept longer in the summer months.',
      'Table 3. Falls by group',
      'Group\tWomen\tMen',
      'Walkers\t4\t5',
    ],
    quotable: [0, 3],
    units: [[0], [1], [2], [3], [1, 2, 3]],
    passages: [[0], [1, 2, 3]],
    similarities: [0.7, 0, 0, 0],
  })
})

it('quotableSentences returns a sentence with a list of numbers, but not a line of table cells', () => {
  const list = 'We recorded 46 males in spruce logs held at 12, 18, 24 and 30 degrees.'
  const cells = 'The cells of this line are 12 18 24 and they have no columns.'
  expect(quotableSentences([passage(`${list} ${cells}`)]).map(({ text }) => text)).toEqual([list])
})

it.each([
  ['What did the experiment find?', ['The walkers slept forty minutes longer than the others.']],
  ['How long do walkers sleep?', ['The walkers slept forty minutes longer than the others.']],
  [
    'How was the sleep of walkers examined?',
    [
      'The aim of the experiment was to determine whether walkers sleep longer.',
      'The walkers slept forty minutes longer than the others.',
    ],
  ],
])('answersAmong leaves out an aim only if the question asks for a result: %s', (question, answers) => {
  const sentences = quotableSentences([
    passage(
      'The aim of the experiment was to determine whether walkers sleep longer. Do walkers sleep longer? It is unclear whether walkers sleep. The walkers slept forty minutes longer than the others.',
    ),
  ])
  expect(answersAmong(question, sentences).map(({ text }) => text)).toEqual(answers)
  expect(answersAmong(question, sentences.slice(0, 1))).toHaveLength(1)
})

it.each([
  ['Length of stay 3.1 3.9 −0.8 (−1.3 to −0.3)', true],
  ['Length of stay\t3.1\t3.9', true],
  ['Journal of Perioperative Movement 14 (2019) 211–219', false],
  ['Received 2 October 2018; accepted 4 March 2019', false],
  ['First version: February 6, 2016', false],
])('quotableSentences returns a line with numbers only if it is a row of a table: %s', (line, isRow) => {
  expect(quotableSentences([passage(line)]).map((sentence) => sentence.isRow)).toEqual(isRow ? [true] : [])
})

it.each([
  'Case fatality was 47% (101 of 214).',
  'No child was harmed.',
  'Sensitivity was 87.1% (149 of 171; 95% CI 81.2 to 91.7), specificity 90.3% (87.2 to 92.8).',
])('quotableSentences returns a sentence with many numbers or few words: %s', (text) => {
  expect(quotableSentences([passage(text)]).map((one) => one.text)).toEqual([text])
})

it.each(['Walkers 4 5 6 7 8 9 12 34 falls.', 'Not all.'])(
  'quotableSentences leaves out cells and fragments: %s',
  (text) => {
    expect(quotableSentences([passage(text)])).toEqual([])
  },
)

it.each([
  ['Do naps improve recall?', 'We therefore expected that naps improve recall.'],
  ['Do naps improve recall?', 'Background: Naps are said to improve recall.'],
  ['Do naps improve recall?', 'The aim was to determine whether naps improve recall.'],
])('answersAmong leaves out a sentence that reports no result: %s %s', (question, text) => {
  const sentences = quotableSentences([passage(`${text} Recall rose by 12% after naps.`)])
  expect(answersAmong(question, sentences).map((one) => one.text)).toEqual(['Recall rose by 12% after naps.'])
})
