import { expect, it } from 'vitest'
import { printedAbstract } from './printed-abstract.ts'

const FIRST = 'We counted the walks of two hundred people over a year and asked them how they had slept. '
  .repeat(3)
  .trim()
const SECOND = 'Nous avons compté les promenades de deux cents personnes pendant une année entière. '.repeat(3).trim()

it.each([
  ['a heading', `Walks\nIda Falk\nAbstract\n${FIRST}\nKeywords: sleep\n1 Introduction\nWalks are cheap.`, FIRST],
  ['a heading in its line', `Walks\nAbstract ${FIRST}\n\n1 Introduction\nWalks are cheap.`, FIRST],
  ['two languages', `Walks\nAbstract\n${FIRST}\n\nRésumé\n${SECOND}\n\n1 Introduction\nWalks are cheap.`, FIRST],
  ['the heading Summary', `Walks\nSummary\n${FIRST}\n\n1 Introduction\nWalks are cheap.`, FIRST],
  ['labels on their own lines', `Walks\nAbstract\nMethods\n${FIRST}\n\nKeywords: sleep`, `Methods: ${FIRST}`],
])('printedAbstract reads an abstract with %s', (_what, text, abstract) => {
  expect(printedAbstract(`[Page 1]\n${text}`)).toBe(abstract)
})

it.each([
  ['without a heading', `Walks\nIda Falk\n${FIRST}\n1 Introduction\nWalks are cheap.`],
  ['that is a remark', 'Walks\nAbstract\nSee the next page.\n1 Introduction\nWalks are cheap.'],
  ['without an end', `Walks\nAbstract\n${`${FIRST}\n\n`.repeat(40)}`],
])('printedAbstract returns null for an abstract %s', (_what, text) => {
  expect(printedAbstract(`[Page 1]\n${text}`)).toBeNull()
})
