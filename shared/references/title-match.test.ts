import { expect, it } from 'vitest'
import { titleMatch } from './title-match.ts'

it.each([
  ['Zürich: A <i>New</i> Study', 'zurichanewstudy'],
  ['The ﬁrst trial of H<sub>2</sub>O', 'thefirsttrialofh2o'],
  ['Health &amp; disease&#8212;p < 0.05', 'healthdiseasep005'],
  ['…', ''],
])('titleMatch of %s is %s (FMT-40)', (title, key) => {
  expect(titleMatch(title)).toBe(key)
})
