import { expect, it } from 'vitest'
import { abstractStart } from './abstract-start.ts'

it.each([
  ['Naps\n\nNaps help.', 'Naps', null, 'Naps help.'],
  ['Naps', 'Naps', null, ''],
  ['Naps\n\nNaps help.', 'Walks', null, 'Naps\n\nNaps help.'],
  ['Naps help.', null, null, 'Naps help.'],
  ['Naps on page 1.', 'Naps', 1, 'Naps on page 1.'],
])('abstractStart of %j with the title %j and the page %j leaves %j', (content, title, page, rest) => {
  expect(content.slice(abstractStart(content, { title, page }))).toBe(rest)
})
