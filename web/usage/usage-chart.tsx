import { Suspense, useState } from 'react'
import type { UsageOverview } from '#shared/contract/usage.ts'
import { grouped } from '#shared/text/numbers.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { Skeleton } from '#web/ui/marks.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { chartBars, peakOf, purposeColour, purposeName, purposesOf } from './chart-data.ts'
import type { Bar, Measure } from './chart-data.ts'
import { dollars, shortCount } from './figures.ts'
import styles from './usage.module.css'

// A separate chunk, because only this page needs the large chart library.
const BarDrawing = lazyPart(() => import('./bar-drawing.tsx').then((file) => file.BarDrawing))

const MEASURES = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'cost_usd', label: 'Cost' },
] as const

/** The tokens or the cost by day or month, stacked by purpose (such as chat or OCR), as a chart and as a table. */
export function UsageChart({ usage }: { usage: UsageOverview | undefined }) {
  const [measure, setMeasure] = useState<Measure>('tokens')
  const bars = usage ? chartBars(usage, measure) : []
  const purposes = usage ? purposesOf(usage.days) : []
  const peak = peakOf(bars)
  const byMonth = bars[0]?.at.length === 7
  const say = measure === 'tokens' ? grouped : dollars
  const sayShort = measure === 'tokens' ? shortCount : dollars
  const title = `${measure === 'tokens' ? 'Tokens' : 'Cost'} a ${byMonth ? 'month' : 'day'}`
  return (
    <section className="mt-5" aria-label={title}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SectionTitle>{title}</SectionTitle>
        <Select
          compact
          aria-label="Measure"
          value={measure}
          onChange={(next) => setMeasure(next as Measure)}
          options={MEASURES}
        />
        <ul className={styles.legend}>
          {purposes.map((purpose) => (
            <li key={purpose}>
              <i style={{ background: purposeColour(purpose) }} aria-hidden />
              {purposeName(purpose)}
            </li>
          ))}
        </ul>
      </div>
      {usage === undefined ? (
        <div className="pb-8">
          <div className={styles.chartBox}>
            <Skeleton height="12rem" />
          </div>
        </div>
      ) : peak === null ? (
        <p className="mt-3 border-t border-b border-border py-12 text-center text-muted-foreground">
          No model was called in this period.
        </p>
      ) : (
        <>
          <div
            className={styles.chartBox}
            role="img"
            aria-label={`${title}, ${bars[0]!.label} to ${bars.at(-1)!.label}, highest on ${peak.label} with ${say(peak.total)}. The table below has the same numbers.`}
          >
            <Suspense fallback={<Skeleton height="12rem" />}>
              <BarDrawing bars={bars} purposes={purposes} peak={peak} say={say} sayShort={sayShort} />
            </Suspense>
          </div>
          <Numbers bars={bars} purposes={purposes} say={say} title={title} />
        </>
      )}
    </section>
  )
}

/** The chart's data as a table, for screen readers and exact numbers. */
function Numbers({
  bars,
  purposes,
  say,
  title,
}: {
  bars: readonly Bar[]
  purposes: readonly string[]
  say: (value: number) => string
  title: string
}) {
  return (
    <details className={styles.chartNumbers}>
      <summary>Show as a table</summary>
      <div className="max-h-80 overflow-auto" tabIndex={0} role="region" aria-label={`${title} as a table`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">When</th>
              {purposes.map((purpose) => (
                <th key={purpose} scope="col">
                  {purposeName(purpose)}
                </th>
              ))}
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.at}>
                <th scope="row">{bar.label}</th>
                {purposes.map((purpose) => (
                  <td key={purpose}>{say(bar.parts[purpose] ?? 0)}</td>
                ))}
                <td>{say(bar.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
