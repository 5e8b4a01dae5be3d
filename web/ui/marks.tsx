import { X } from 'lucide-react'
import type { ReactNode } from 'react'

/** A keyword or an active filter. `onRemove` adds a remove button; `kind` is a prefix. */
export function Chip({ kind, children, onRemove, removeLabel }: { kind?: string; children: ReactNode } & Removable) {
  return (
    <span className="chip">
      {kind ? <span className="k">{kind}</span> : null}
      {children}
      {onRemove ? (
        <button type="button" aria-label={removeLabel} onClick={onRemove}>
          <X className="ic" aria-hidden />
        </button>
      ) : null}
    </span>
  )
}
type Removable = { onRemove: () => void; removeLabel: string } | { onRemove?: undefined; removeLabel?: undefined }

/** A short label. `alarm` for warnings, `quiet` for secondary information. */
export const Badge = ({ tone, children }: { tone?: 'alarm' | 'quiet'; children: ReactNode }) => (
  <span className={tone ? `badge badge-${tone}` : 'badge'}>{children}</span>
)

/** A small count on a control. */
export const Counter = ({ count }: { count: number }) => <span className="counter">{count}</span>

/** A gray placeholder for text that is loading. */
export const Skeleton = ({ width = '100%', height }: { width?: string; height?: string }) => (
  <span className="skel" style={{ width, height }} aria-hidden />
)

export const Spinner = ({ label }: { label?: string }) => (
  <span
    className="spinner"
    role={label ? 'status' : undefined}
    aria-label={label}
    aria-hidden={label ? undefined : true}
  />
)

/** A spinner with text, for waits whose text the specification gives. */
export const Waiting = ({ children }: { children: ReactNode }) => (
  <p className="waiting" role="status">
    <Spinner />
    {children}
  </p>
)

/** A progress bar, 0 to 100. */
export const Progress = ({ value, label, alarm = false }: { value: number; label: string; alarm?: boolean }) => (
  <span
    className="progress"
    data-alarm={alarm || undefined}
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(value)}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <i style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
  </span>
)

/** Returns the first two letters of the e-mail address, or 'U'. */
export const initials = (email: string | undefined) =>
  email
    ?.replace(/[^\p{L}]/gu, '')
    .slice(0, 2)
    .toUpperCase() || 'U'
