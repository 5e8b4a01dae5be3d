import { expect, it } from 'vitest'
import type { CslDate } from '#shared/contract/references.ts'
import { dateText } from './date-text.ts'

it.each<[CslDate | undefined, string | null]>([
  [{ 'date-parts': [[2025, 3, 4]] }, 'March 04, 2025'],
  [{ 'date-parts': [[2025, 3]] }, 'March 2025'],
  [{ 'date-parts': [[2025]] }, '2025'],
  [{ 'date-parts': [[-44, 3, 15]] }, 'March 15, 44 BC'],
  [{ 'date-parts': [[2024], [2025]] }, '2024 – 2025'],
  [{ 'date-parts': [[2025]], season: 1 }, 'Spring 2025'],
  [{ literal: 'in press' }, 'in press'],
  [undefined, null],
])('The date %j is shown as %j (FND-05)', (date, text) => {
  expect(dateText(date)).toBe(text)
})
