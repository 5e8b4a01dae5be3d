import { X } from 'lucide-react'
import type { ReactNode } from 'react'

/** A keyword or a chosen filter. With `onRemove` it can be taken away; `kind` says first what it is. */
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

/** A word on a thing. `alarm` for what must not be overlooked, `quiet` for what is only good to know. */
export const Badge = ({ tone, children }: { tone?: 'alarm' | 'quiet'; children: ReactNode }) => (
  <span className={tone ? `badge badge-${tone}` : 'badge'}>{children}</span>
)

/** A small number on a control. */
export const Counter = ({ count }: { count: number }) => <span className="counter">{count}</span>

/** A grey bar in the place and width of text that is still coming. */
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

/** Words beside a turning ring, for waits that the specification words. */
export const Waiting = ({ children }: { children: ReactNode }) => (
  <p className="waiting" role="status">
    <Spinner />
    {children}
  </p>
)

/** How far long work has come, 0 to 100. */
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

/** The first two letters of the e-mail, or a single U. */
export const initials = (email: string | undefined) =>
  email
    ?.replace(/[^\p{L}]/gu, '')
    .slice(0, 2)
    .toUpperCase() || 'U'
