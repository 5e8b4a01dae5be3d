import { cn } from '#web/ui/class-names.ts'
import styles from './usage.module.css'

/**
 * A row of a bar chart: a label, a bar, and a text such as the number (`words`). The bar is as wide as `value` is in relation
 * to `most`, the highest value of the chart. `more` is a second text after `words`.
 */
export function Share({
  label,
  value,
  most,
  colour,
  words,
  more,
}: {
  label: string
  value: number
  most: number
  colour: string
  words: string
  more?: string
}) {
  return (
    <div className={styles.shareBar}>
      <dt>{label}</dt>
      <dd>
        <span aria-hidden>
          <i style={{ width: `${most > 0 ? (value / most) * 100 : 0}%`, background: colour }} />
        </span>
        <span className={cn(styles.amount, 'tabular-nums lining-nums')}>{words}</span>
        {more === undefined ? null : <span className={cn(styles.amount, 'tabular-nums lining-nums')}>{more}</span>}
      </dd>
    </div>
  )
}
