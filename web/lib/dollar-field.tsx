import { Field, Input } from '#web/ui/field.tsx'
import { readDollars } from './dollars.ts'

/**
 * A field for an amount in US dollars, which `readDollars` parses. It is a text field, because a number field has no value
 * while its text is not a number, so that a typing error would look like an empty field.
 */
export function DollarField({
  label,
  hint,
  error,
  className,
  value,
  onChange,
}: {
  label: string
  hint?: string
  error?: string | undefined
  className?: string | undefined
  /** The typed text. */
  value: string
  onChange: (value: string) => void
}) {
  const wrong = Number.isNaN(readDollars(value)) ? 'Enter an amount such as 5.50.' : error
  return (
    <Field label={label} hint={hint} error={wrong} {...(className ? { className } : {})}>
      {(ids) => (
        <Input
          {...ids}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
