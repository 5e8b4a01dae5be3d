import { expect, it } from 'vitest'
import { chartBars, peakOf, purposesOf } from './chart-data.ts'
import { dollars, roundedDollars, shortCount } from './figures.ts'

const day = (at: string, purpose: string, tokens: number) => ({
  day: at,
  purpose,
  calls: 1,
  tokens,
  cost_usd: tokens / 100,
})
const days = [day('2026-02-27', 'answer', 5), day('2026-02-27', 'analysis', 10), day('2026-03-01', 'analysis', 7)]

it('chartBars returns every day of the period, also days without usage', () => {
  const bars = chartBars({ from: '2026-02-26', to: '2026-03-01', days }, 'tokens')
  expect(bars.map(({ label, total }) => [label, total])).toEqual([
    ['Feb 26', 0],
    ['Feb 27', 15],
    ['Feb 28', 0],
    ['Mar 1', 7],
  ])
  expect(bars[1]!.parts).toEqual({ answer: 5, analysis: 10 })
  expect(peakOf(bars)?.at).toBe('2026-02-27')
})

it('chartBars returns months when days would be too many', () => {
  const bars = chartBars({ from: '2025-12-01', to: '2026-03-31', days }, 'cost_usd')
  expect(bars.map(({ label }) => label)).toEqual(['Dec 2025', 'Jan 2026', 'Feb 2026', 'Mar 2026'])
  expect(bars[2]!.total).toBeCloseTo(0.15, 10)
})

it('An empty period has no peak, and purposes have the order of the legend', () => {
  expect(peakOf(chartBars({ from: '2026-01-01', to: '2026-01-02', days: [] }, 'tokens'))).toBeNull()
  expect(purposesOf([...days, day('2026-03-01', 'something new', 1)])).toEqual(['analysis', 'answer', 'something new'])
})

it.each([
  [0, '$0.00'],
  [-1e-18, '$0.00'],
  [481.236, '$481.24'],
  [1234.5, '$1,234.50'],
  [0.0041, '$0.0041'],
  [0.0000001, '$0.0000001'],
])('%d dollars read %s', (value, words) => expect(dollars(value)).toBe(words))

it.each([
  [0, '$0.00'],
  [1e-18, '$0.00'],
  [0.0000037, 'under $0.01'],
  [0.00999, 'under $0.01'],
  [0.01, '$0.01'],
  [1234.5, '$1,234.50'],
])('%d dollars read %s as a large figure', (value, words) => expect(roundedDollars(value)).toBe(words))

it('Token counts are shortened for an axis', () => expect(shortCount(274_000)).toBe('274k'))
