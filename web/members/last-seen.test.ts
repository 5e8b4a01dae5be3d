import { expect, it } from 'vitest'
import { lastSeen } from './last-seen.ts'

it.each([
  [null, 'Never'],
  ['2026-11-22', 'Today'],
  ['2026-11-21', 'Yesterday'],
  ['2026-11-20', 'Nov 20, 2026'],
])('The last visit on %s is shown as %s', (day, words) => {
  expect(lastSeen(day, new Date('2026-11-22T00:30:00Z'))).toBe(words)
})
