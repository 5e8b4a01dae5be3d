import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

/**
 * The empty state of a list, on ruled lines: what is missing, what belongs here, and the action. `head` is the head of
 * the table, if any.
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
