import { expect, it } from 'vitest'
import { textsToCompare } from './quotable-sentences.ts'

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
