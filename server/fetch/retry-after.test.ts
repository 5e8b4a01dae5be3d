import { expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOW = Date.parse('2026-05-01T12:00:00Z')

it.each([
  [{ 'retry-after': '120' }, 120_000],
  [{ 'retry-after': ' 0 ' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': 'Fri, 01 May 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '120' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('retryAfterMs reads %j as %j ms', (headers, wait) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(wait)
})
