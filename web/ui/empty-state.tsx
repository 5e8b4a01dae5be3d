import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

/**
 * Blank ruled lines that fade out; the message stands on the first rows: what is missing, what belongs here, the
 * action. `head` is the table's own head, where there is a table.
 */
export function EmptyState({
  title,
  about,
  actions,
  head,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  head?: ReactNode
}) {
  return (
    <div className="leaf-wrap">
      {head}
      <div className="leaf" aria-hidden />
      <div className={cn('empty', !head && 'flush')}>
        <h2>{title}</h2>
        {about ? <p>{about}</p> : null}
        {actions ? <div className="acts">{actions}</div> : null}
      </div>
    </div>
  )
}
