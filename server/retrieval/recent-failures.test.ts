import { expect, it } from 'vitest'
import { recentFailures } from './recent-failures.ts'

const MINUTE = 60_000

it('A document whose index could not be built is skipped for ten minutes after its last failure', () => {
  const failures = recentFailures()
  failures.add('a', 0)
  failures.add('b', 4 * MINUTE)
  expect(failures.ids(10 * MINUTE - 1)).toEqual(['a', 'b'])
  expect(failures.ids(10 * MINUTE)).toEqual(['b'])
  failures.add('a', 10 * MINUTE)
  expect(failures.ids(15 * MINUTE)).toEqual(['a'])
  failures.remove('a')
  expect(failures.ids(15 * MINUTE)).toEqual([])
})
