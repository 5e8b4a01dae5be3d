import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './marks.module.css'

/**
 * A chip for a keyword or an active filter. `kind` is shown before the text, for example the name of the filter. `onRemove`
 * adds a remove button.
 */
export function Chip({ kind, children, onRemove, removeLabel }: { kind?: string; children: ReactNode } & Removable) {
  return (
    <span className={styles.chip} data-slot="chip">
      {kind ? <span className={styles.kind}>{kind}</span> : null}
      {children}
      {onRemove ? (
        <button type="button" aria-label={removeLabel} onClick={onRemove}>
          <X aria-hidden />
        </button>
      ) : null}
    </span>
  )
}
type Removable = { onRemove: () => void; removeLabel: string } | { onRemove?: undefined; removeLabel?: undefined }

/** A short label, for example 'retracted'. `alarm` is for warnings, `quiet` for secondary information. */
export const Badge = ({ tone, children }: { tone?: 'alarm' | 'quiet'; children: ReactNode }) => (
  <span
    className={cn(styles.badge, tone === 'alarm' && styles.alarm, tone === 'quiet' && styles.quiet)}
    data-slot="badge"
  >
    {children}
  </span>
)

/** A small number on a button, for example the number of set filters. */
export const Counter = ({ count }: { count: number }) => <span className={styles.counter}>{count}</span>

/** A gray placeholder for text that is loading. */
export const Skeleton = ({ width = '100%', height }: { width?: string; height?: string }) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden data-slot="skeleton" />
)

/** A spinner. `label` is read by screen readers; without it the spinner is hidden from them. */
export const Spinner = ({ label }: { label?: string }) => (
  <span
    className={styles.spinner}
    data-slot="spinner"
    role={label ? 'status' : undefined}
    aria-label={label}
    aria-hidden={label ? undefined : true}
  />
)

/** A spinner with a text, in place of content that is loading. */
export const Waiting = ({ children }: { children: ReactNode }) => (
  <p className={styles.waiting} role="status" data-slot="waiting">
    <Spinner />
    {children}
  </p>
)

/** A row for a spinner, in place of content that is loading. */
export const SpinnerRow = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.waiting, className)} data-slot="waiting" />
)

/** An error message on the page, which stays until the error is resolved. `quiet` is the style for a warning. */
export const Alert = ({ quiet = false, className, ...rest }: ComponentProps<'p'> & { quiet?: boolean }) => (
  <p {...rest} className={cn(styles.alert, quiet && styles.quietAlert, className)} data-slot="alert" />
)

/** A row of chips that wraps. */
export const Chips = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.chips, className)} />
)

/** A progress bar. `value` is from 0 to 100. */
export const Progress = ({ value, label, alarm = false }: { value: number; label: string; alarm?: boolean }) => (
  <span
    className={styles.progress}
    data-alarm={alarm || undefined}
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(value)}
    aria-valuemin={0}
    aria-valuemax={100}
    data-slot="progress"
  >
    <i style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
  </span>
)

/**
 * The picture of a user, or the initials of the name or e-mail address. `quiet` is a less prominent style, for example for the
 * other members of a project.
 */
export const Avatar = ({
  name,
  email,
  picture,
  quiet = false,
  className,
}: {
  name?: string
  email?: string
  picture?: string | null
  quiet?: boolean
  className?: string
}) => (
  <span className={cn(styles.avatar, quiet && styles.quietAvatar, className)} data-slot="avatar" aria-hidden>
    {picture ? <img src={picture} alt="" /> : name ? initialsOf(name) : initials(email)}
  </span>
)

/** A chip that is a button. */
export const ChipButton = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button type="button" {...rest} className={cn(styles.chip, styles.chipButton, className)} data-slot="chip" />
)

/** Returns the first two letters of an e-mail address or of a one-word name in capitals, or 'U' if there are none. */
const initials = (email: string | undefined) =>
  email
    ?.replace(/[^\p{L}]/gu, '')
    .slice(0, 2)
    .toUpperCase() || 'U'

/** Returns the first letters of the first and the last word of a name: 'AV' for 'Ada Varnholt'. */
const initialsOf = (name: string) => {
  const words = name.split(/[^\p{L}]+/u).filter(Boolean)
  return words.length > 1 ? `${words[0]![0]}${words.at(-1)![0]}`.toUpperCase() : initials(name)
}
