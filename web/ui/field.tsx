import { useId } from 'react'
import type { ComponentProps, CSSProperties, ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './field.module.css'

/** Attributes that connect a control with its label, hint and error. */
export interface FieldIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/**
 * A form field with the label above the control and the error or the hint below it. `aside` is shown to the right of the label.
 */
export function Field({
  label,
  hint,
  error,
  aside,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  aside?: ReactNode
  className?: string
  children: (ids: FieldIds) => ReactNode
}) {
  const id = useId()
  const below = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className={className}>
      <div className="flex items-baseline justify-between gap-3">
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': below, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <p className={styles.error} id={`${id}-error`} role="alert" data-slot="field-error">
          {error}
        </p>
      ) : hint ? (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** A single-line input. `icon` is shown before the text, `end` after it (for example a key hint, a unit, or a clear button). */
export function Input({
  icon,
  end,
  className,
  ...rest
}: ComponentProps<'input'> & { icon?: ReactNode; end?: ReactNode }) {
  return (
    <div className={cn(styles.field, className)} data-slot="field">
      {icon}
      <input {...rest} />
      {end}
    </div>
  )
}

/** A text area that grows with its text. `rows` is the minimum number of rows. `reading` uses the serif font of paper texts. */
export function Textarea({
  reading = false,
  rows = 2,
  className,
  ...rest
}: ComponentProps<'textarea'> & { reading?: boolean }) {
  const style = { '--rows': rows } as CSSProperties
  return (
    <textarea
      {...rest}
      rows={rows}
      style={style}
      className={cn(styles.textarea, reading && styles.reading, className)}
      data-slot="textarea"
    />
  )
}

/** An error message that does not belong to a single field. */
export const FieldError = ({ className, ...rest }: ComponentProps<'p'>) => (
  <p {...rest} className={cn(styles.error, className)} data-slot="field-error" />
)

/** A hint that does not belong to a single field. */
export const FieldHint = ({ className, ...rest }: ComponentProps<'p'>) => (
  <p {...rest} className={cn(styles.hint, className)} />
)
