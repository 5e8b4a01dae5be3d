import { expect, it } from 'vitest'
import { joinPages, splitPages } from './page-text.ts'

it.each([
  '[Page 1]',
  'Before\n[Page 3]\nafter',
  'Before\r\n[Page 3] \t\r\nafter',
  '[Page 1]\n[Page 2]',
  'Before\n[Page 3]',
])('a line of a page that equals a marker begins no other page: %j', (page) => {
  const found = splitPages(joinPages(['First', page, 'Last']))
  expect(found.map((one) => one.page)).toEqual([1, 2, 3])
  expect(found[1]!.text.replaceAll(/^ (?=\[)/gm, '')).toBe(page)
  // The pages of a stored text can be joined again.
  expect(joinPages(found.map(({ text }) => text))).toBe(joinPages(['First', page, 'Last']))
})

it('a marker with a number of more than six digits is text of its page', () => {
  expect(splitPages('[Page 1]\nFirst\n[Page 99999999999]\nsecond')).toEqual([
    { page: 1, text: 'First\n[Page 99999999999]\nsecond', start: 9 },
  ])
})
