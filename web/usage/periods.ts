import { z } from 'zod'

/** Selectable periods and their labels. */
export const PERIODS = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
  year: 'Last 12 months',
} as const
export type PeriodName = keyof typeof PERIODS

/** Search parameters of the usage page. Unknown values are ignored. */
export const usageSearch = z.object({
  tab: z.literal('backend').optional().catch(undefined),
  period: z
    .enum(Object.keys(PERIODS) as [PeriodName, ...PeriodName[]])
    .optional()
    .catch(undefined),
})
export type UsageSearch = z.infer<typeof usageSearch>

const isoDay = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** Returns the first and the last day of a period as UTC dates, because the stored usage has UTC dates. */
export function daysOf(period: PeriodName, now: Date): { from: string; to: string } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const to = isoDay(year, month, day)
  if (period === 'month') return { from: isoDay(year, month, 1), to }
  if (period === 'last-month') return { from: isoDay(year, month - 1, 1), to: isoDay(year, month, 0) }
  if (period === 'year') return { from: isoDay(year, month - 11, 1), to }
  return { from: isoDay(year, month, day - Number(period) + 1), to }
}
