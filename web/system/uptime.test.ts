import { expect, it } from 'vitest'
import { uptime } from './uptime.ts'

const MINUTE = 60_000
it.each([
  [0, 'less than a minute'],
  [MINUTE, '1 minute'],
  [61 * MINUTE, '1 hour 1 minute'],
  [24 * 60 * MINUTE + 5 * MINUTE, '1 day'],
  [1500 * 24 * 60 * MINUTE + 23 * 60 * MINUTE, '1,500 days 23 hours'],
])('An uptime of %i ms reads %s', (milliseconds, words) => {
  expect(uptime(milliseconds)).toBe(words)
})
