import { AI_PURPOSES } from '#shared/contract/usage.ts'
import type { UsageOverview } from '#shared/contract/usage.ts'

export type Measure = 'tokens' | 'cost_usd'

/** A bar of the chart: the usage of a day or a month, in total and by purpose (such as chat or OCR). */
export interface Bar {
  /** The day as `2026-11-21`, or the month as `2026-11`. */
  at: string
  label: string
  total: number
  parts: Record<string, number>
}

/** Maximum number of days for a chart with one bar per day. Longer periods have one bar per month. */
const MOST_BARS = 92
const DAY_MS = 24 * 60 * 60 * 1000

/** Returns a bar for every day or month of a period, including those without usage. */
export function chartBars({ from, to, days }: Pick<UsageOverview, 'from' | 'to' | 'days'>, measure: Measure): Bar[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  const byMonth = count > MOST_BARS
  const bars = new Map<string, Bar>()
  for (let index = 0; index < count; index += 1) {
    const at = keyOf(new Date(Date.parse(from) + index * DAY_MS).toISOString(), byMonth)
    if (!bars.has(at)) bars.set(at, { at, label: labelOf(at), total: 0, parts: {} })
  }
  for (const one of days) {
    const bar = bars.get(keyOf(one.day, byMonth))
    if (!bar) continue
    bar.total += one[measure]
    bar.parts[one.purpose] = (bar.parts[one.purpose] ?? 0) + one[measure]
  }
  return [...bars.values()]
}

/** Returns the purposes of the usage (such as chat or OCR) in the order of the chart legend. */
export function purposesOf(days: UsageOverview['days']): string[] {
  const found = new Set(days.map(({ purpose }) => purpose))
  const known = Object.keys(AI_PURPOSES).filter((purpose) => found.has(purpose))
  return [...known, ...[...found].filter((purpose) => !known.includes(purpose))]
}

/** Returns the label of a purpose of AI usage (such as chat or OCR). */
export const purposeName = (purpose: string) => (AI_PURPOSES as Record<string, string>)[purpose] ?? purpose

/**
 * Numbers of the CSS variables with the chart colors, in the order of the purposes. A purpose has the same color in all charts.
 */
const COLOURS = [1, 3, 2, 4, 5]
/** Returns the color of a purpose (such as chat or OCR) in the charts, as a CSS value. */
export function purposeColour(purpose: string): string {
  const at = Math.max(0, Object.keys(AI_PURPOSES).indexOf(purpose))
  return at < COLOURS.length ? `var(--chart-${COLOURS[at]})` : 'var(--muted-foreground)'
}

/** Returns the bar with the highest total; null if all totals are 0. Of equal bars, returns the first. */
export function peakOf(bars: readonly Bar[]): Bar | null {
  let peak: Bar | null = null
  for (const bar of bars) if (bar.total > (peak?.total ?? 0)) peak = bar
  return peak
}

const keyOf = (day: string, byMonth: boolean) => day.slice(0, byMonth ? 7 : 10)
const labelOf = (at: string) =>
  new Date(at.length === 7 ? `${at}-01` : at).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'short',
    ...(at.length === 7 ? { year: 'numeric' } : { day: 'numeric' }),
  })
