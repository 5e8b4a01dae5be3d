import { useId, useState } from 'react'
import { FieldError, Input } from '#web/ui/field.tsx'

/**
 * The input of a bound of the year filter. Enter applies the year, and so does leaving the field; an empty field removes the
 * bound. Text that is not a year shows an error and changes nothing.
 */
export function YearInput({
  label,
  year,
  onChange,
}: {
  label: string
  year: number | undefined
  onChange: (year: number | undefined) => void
}) {
  const errorId = useId()
  const [isRefused, setIsRefused] = useState(false)
  const apply = (text: string) => {
    const isYear = /^\d{0,4}$/.test(text)
    setIsRefused(!isYear)
    const next = text === '' ? undefined : Number(text)
    if (isYear && next !== year) onChange(next)
  }
  return (
    <div>
      <Input
        aria-label={label}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? errorId : undefined}
        inputMode="numeric"
        defaultValue={year}
        onBlur={({ target }) => apply(target.value.trim())}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value.trim())}
      />
      {isRefused ? (
        <FieldError id={errorId} role="alert">
          Enter a year such as 2019.
        </FieldError>
      ) : null}
    </div>
  )
}
