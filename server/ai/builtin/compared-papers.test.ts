import { expect, it } from 'vitest'
import { comparedParts, withCompared } from './compared-papers.ts'
import type { PaperPassage } from './paper-passage.ts'

it.each<[question: string, parts: string[]]>([
  ['Was the trial longer in Alder than in Bram?', ['Was the trial longer in Alder', 'in Bram?']],
  ['Alder vs Bram: where did it rain more?', ['Alder', 'Bram: where did it rain more?']],
  ['Which study is larger, the walks or the stairs?', ['Which study is larger, the walks', 'the stairs?']],
  ['Is the oven as hot as the desert?', ['Is the oven', 'the desert?']],
  ['How did the walks and the stairs each recruit people?', ['How did the walks', 'the stairs each recruit people?']],
  ['Did naps help boys and girls?', []],
  ['Dauerte die Studie in Alder länger als in Bram?', []],
])('comparedParts reads the two parts of %j', (question, parts) => {
  expect(comparedParts(question)).toEqual(parts)
})

const passage = (document_id: string, content: string): PaperPassage => ({
  document_id,
  content,
  score: 0.5,
  section: null,
  authors: [],
  similarity: 0.5,
  page_number: 1,
  page_offset: 0,
  start: 0,
  end: content.length,
})
const passages = [
  passage('walks', 'Evening walks lasted forty minutes in the group of poor sleepers.'),
  passage('stairs', 'Stair training before the hip replacement lasted ten minutes.'),
  passage('tea', 'Green tea was served after the walks.'),
]
const papers = [
  { passage: 0, value: 1 },
  { passage: 2, value: 0.7 },
  { passage: 1, value: 0.5 },
]
const weights = ['even', 'walk', 'stair', 'train', 'hip', 'last'].map((term) => [term, 2] as const)
const choice = { shown: papers.slice(0, 1), papers, passages, weights, most: 6 }

it('withCompared adds the best quote of the paper about the second compared thing', () => {
  const question = 'What lasted longer, an evening walk or the stair training before hip surgery?'
  expect(withCompared(question, choice)).toEqual([papers[0], papers[2]])
  expect(withCompared(question, { ...choice, shown: papers.slice(0, 2), most: 2 })).toEqual([papers[0], papers[2]])
})

it('withCompared adds nothing if the shown papers are about both things, or another paper is far from the question', () => {
  const question = 'What lasted longer, an evening walk or the stair training before hip surgery?'
  expect(withCompared(question, { ...choice, shown: papers })).toEqual(papers)
  const far = papers.with(2, { passage: 1, value: 0.3 })
  expect(withCompared(question, { ...choice, papers: far })).toEqual([papers[0]])
  expect(withCompared('What lasted longer, an evening walk or the tea?', choice)).toEqual([papers[0]])
})
