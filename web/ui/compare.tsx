import { RadioGroup } from 'radix-ui'
import { cn } from './class-names.ts'

interface Option {
  value: string
  /** Where it comes from. */
  head: string
  /** Empty for nothing. */
  text: string
}

/** One thing as several sources have it, side by side; one of them is taken. */
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
  /** Sets the texts in the serif of the paper's own words. */
  reading?: boolean
}) {
  return (
    <RadioGroup.Root className="compare" aria-label={label} value={value} onValueChange={onChange}>
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          className="opt"
          value={option.value}
          aria-label={`${option.head}: ${option.text || 'nothing'}`}
        >
          <span className="radio" aria-hidden />
          <span className="min-w-0">
            <span className="quiet text-meta block">{option.head}</span>
            <span className={cn('compare-text', reading && 'serif', !option.text && 'quiet')}>
              {option.text || '—'}
            </span>
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
