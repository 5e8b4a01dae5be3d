import { RadioGroup } from 'radix-ui'
import styles from './choice.module.css'
import { cn } from './class-names.ts'

interface Option {
  value: string
  /** Name of the source, shown above the value. */
  head: string
  /** The value as text; '' if the source has no value. */
  text: string
}

/** A radio group that shows the values of one field from several sources side by side, for a choice between them. */
export function Compare({
  label,
  value,
  onChange,
  options,
  reading = false,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  /** Uses the serif font of paper texts. */
  reading?: boolean
}) {
  return (
    <RadioGroup.Root className={styles.compare} aria-label={label} value={value} onValueChange={onChange}>
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          className={styles.option}
          value={option.value}
          aria-label={`${option.head}: ${option.text || 'nothing'}`}
        >
          <span className={styles.radio} aria-hidden />
          <span className="min-w-0">
            <span className="text-muted-foreground text-meta block">{option.head}</span>
            <span className={cn(styles.compareText, reading && 'font-serif', !option.text && 'text-muted-foreground')}>
              {option.text || '—'}
            </span>
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
