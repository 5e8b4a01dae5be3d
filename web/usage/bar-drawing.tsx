import { Bar, BarChart, CartesianGrid, ReferenceDot, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { cn } from '#web/ui/class-names.ts'
import { purposeColour, purposeName } from './chart-data.ts'
import type { Bar as Column } from './chart-data.ts'
import styles from './usage.module.css'

const HEIGHT = 210

/**
 * The bar chart of AI usage as a drawing, with a label at the highest bar (`peak`). `say` and `sayShort` convert a value to
 * text. Screen readers get the data from a table beside the drawing.
 */
export function BarDrawing({
  bars,
  purposes,
  peak,
  say,
  sayShort,
}: {
  bars: readonly Column[]
  purposes: readonly string[]
  peak: Column
  say: (value: number) => string
  sayShort: (value: number) => string
}) {
  const at = bars.indexOf(peak) / bars.length
  // Near an edge the label is aligned inwards, so that it stays inside the chart and off the axis.
  const anchor = at > 0.75 ? 'end' : at < 0.25 ? 'start' : 'middle'
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <BarChart
        data={[...bars]}
        margin={{ top: 22, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="28%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          dataKey="at"
          tickFormatter={(at: string) => bars.find((bar) => bar.at === at)?.label ?? at}
          tickLine={false}
          axisLine={{ stroke: 'var(--foreground)' }}
          interval="equidistantPreserveStart"
          minTickGap={48}
        />
        <YAxis
          orientation="right"
          tickFormatter={sayShort}
          tickLine={false}
          axisLine={false}
          width={56}
          tickCount={4}
        />
        <Tooltip cursor={{ fill: 'var(--secondary)' }} content={<Tip purposes={purposes} say={say} />} />
        {purposes.map((purpose) => (
          <Bar
            key={purpose}
            dataKey={(bar: Column) => bar.parts[purpose] ?? 0}
            name={purposeName(purpose)}
            stackId="all"
            fill={purposeColour(purpose)}
            stroke="var(--background)"
            strokeWidth={1}
            maxBarSize={40}
            isAnimationActive={false}
          />
        ))}
        <ReferenceDot
          x={peak.at}
          y={peak.total}
          r={0}
          label={<Peak words={`${sayShort(peak.total)} on ${peak.label}`} anchor={anchor} />}
        />
      </BarChart>
    </ResponsiveContainer>
  )
}

/** The label above the highest bar. Recharts sets the props of its position. */
function Peak({
  viewBox,
  words,
  anchor,
}: {
  viewBox?: { x?: number; y?: number; width?: number }
  words: string
  anchor: 'start' | 'middle' | 'end'
}) {
  return (
    <text
      className={styles.chartPeak}
      x={(viewBox?.x ?? 0) + (viewBox?.width ?? 0) / 2}
      y={(viewBox?.y ?? 0) - 6}
      textAnchor={anchor}
    >
      {words}
    </text>
  )
}

/** The tooltip of a bar. Recharts sets the props with the data of the bar. */
function Tip({
  active = false,
  payload,
  purposes,
  say,
}: {
  active?: boolean
  payload?: readonly { payload?: Column }[]
  purposes: readonly string[]
  say: (value: number) => string
}) {
  const bar = payload?.[0]?.payload
  if (!active || !bar) return null
  return (
    <div className="max-w-xs rounded-md bg-foreground px-2.25 py-1.5 text-left text-xs text-background">
      <b>{bar.label}</b>
      {purposes
        .filter((purpose) => bar.parts[purpose])
        .map((purpose) => (
          <p key={purpose} className={cn(styles.amount, 'tabular-nums lining-nums')}>
            {purposeName(purpose)} {say(bar.parts[purpose]!)}
          </p>
        ))}
      <p className={cn(styles.amount, 'tabular-nums lining-nums')}>Total {say(bar.total)}</p>
    </div>
  )
}
