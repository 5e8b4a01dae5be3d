import { expect, it } from 'vitest'
import { recentFailures } from './recent-failures.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

it('A document is skipped for a minute after its first failure', () => {
  const failures = recentFailures()
  const ids = (now: number) => failures.skipped(now).map(({ id }) => id)
  failures.add({ id: 'a', version: '1' }, 0)
  failures.add({ id: 'b', version: '1' }, MINUTE / 2)
  expect(ids(MINUTE - 1)).toEqual(['a', 'b'])
  expect(ids(MINUTE)).toEqual(['b'])
  failures.remove('b')
  expect(ids(MINUTE)).toEqual([])
})

it('A document that fails again and again is tried less than 15 times in two days', () => {
  const failures = recentFailures()
  let tries = 0
  for (let now = 0; now < 2 * DAY; now += MINUTE) {
    if (failures.skipped(now).length > 0) continue
    tries += 1
    failures.add({ id: 'a', version: '1' }, now)
  }
  expect(tries).toBeGreaterThan(10)
  expect(tries).toBeLessThan(15)
  expect(failures.skipped(3 * DAY + 12 * 60 * MINUTE)).toEqual([])
})

it('A failure of a new version of a text counts as the first', () => {
  const failures = recentFailures()
  for (const now of [0, 1, 2, 3]) failures.add({ id: 'a', version: '1' }, now)
  expect(failures.skipped(5 * MINUTE)).toMatchObject([{ id: 'a', version: '1' }])
  failures.add({ id: 'a', version: '2' }, 5 * MINUTE)
  expect(failures.skipped(5 * MINUTE)).toMatchObject([{ id: 'a', version: '2' }])
  expect(failures.skipped(6 * MINUTE)).toEqual([])
})
