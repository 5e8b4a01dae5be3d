import { cn } from '#web/ui/class-names.ts'
import styles from './usage.module.css'

/**
 * A row of a bar chart: a label, a bar, and the number as text (`words`). The bar of the value `most` has the full width.
 * `more` is a second number.
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
