import { type ReactNode, useId } from 'react'
import { dateText, monthName } from '#web/lib/date-text.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError, FieldHint, Input } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { DateValue } from './reference-values.ts'
import styles from './reference.module.css'

/** Value of the option 'No month'. The Select of Radix does not accept an empty value. */
const NO_MONTH = 'none'
const MONTHS = [
  { value: NO_MONTH, label: 'No month' },
  ...Array.from({ length: 12 }, (_, month) => ({ value: String(month + 1), label: monthName(month + 1) })),
]

/** The inputs of a date: a year, a year and a month, or a full date. */
export function DateParts({
  label,
  aside,
  value,
  error,
  onChange,
}: {
  label: string
  /** Shown to the right of the label. */
  aside: ReactNode
  value: DateValue
  error: string | undefined
  onChange: (value: DateValue) => void
}) {
  const id = useId()
  const { stored, ...parts } = value
  const described = {
    'aria-describedby': error || stored ? id : undefined,
    'aria-invalid': error ? true : undefined,
  }
  return (
    <fieldset className={styles.group}>
      <legend>
        {label}
        {aside}
      </legend>
      <div className="grid grid-cols-[6rem_minmax(0,12rem)_5rem] gap-2">
        <Input
          {...described}
          aria-label={`${label}: year`}
          placeholder="Year"
          inputMode="numeric"
          autoComplete="off"
          value={value.year}
          onChange={(event) => onChange({ ...parts, year: event.target.value })}
        />
        <Select
          {...described}
          aria-label={`${label}: month`}
          value={value.month || NO_MONTH}
          options={MONTHS}
          onChange={(month) => onChange(month === NO_MONTH ? { ...parts, month: '', day: '' } : { ...parts, month })}
        />
        <Input
          {...described}
          aria-label={`${label}: day`}
          placeholder="Day"
          inputMode="numeric"
          autoComplete="off"
          disabled={!value.month}
          value={value.day}
          onChange={(event) => onChange({ ...parts, day: event.target.value })}
        />
      </div>
      {error ? (
        <FieldError id={id} role="alert">
          {error}
        </FieldError>
      ) : stored ? (
        <div className="mt-2 flex flex-wrap items-baseline gap-1.5">
          <FieldHint id={id}>Now “{dateText(stored)}”. A new date replaces it.</FieldHint>
          <Button size="sm" variant="ghost" onClick={() => onChange(parts)}>
            Remove the date
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
