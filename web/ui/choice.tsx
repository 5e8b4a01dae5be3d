import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './choice.module.css'

/** A radio group of full-width options. */
export function Choices({
  label,
  value,
  onChange,
  disabled = false,
  children,
}: {
  label: string
  value: string | undefined
  onChange: (value: string) => void
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <RadioGroup.Root
      className={styles.options}
      aria-label={label}
      value={value ?? ''}
      onValueChange={onChange}
      disabled={disabled}
    >
      {children}
    </RadioGroup.Root>
  )
}

/** One option of `Choices`, with a title and a description. */
export function Choice({
  value,
  title,
  badge,
  children,
}: {
  value: string
  title: string
  badge?: ReactNode
  children?: ReactNode
}) {
  return (
    <RadioGroup.Item className={styles.option} value={value} aria-label={title}>
      <span className={styles.radio} aria-hidden />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <b>{title}</b>
          {badge}
        </span>
        {children ? <p>{children}</p> : null}
      </span>
    </RadioGroup.Item>
  )
}
