import type { ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './empty-state.module.css'

/**
 * Shown in place of an empty list, on ruled lines: a title, an explanation and buttons. `head` is the head of the table, if
 * there is one.
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
    <div className={styles.frame}>
      {head}
      <div className={styles.lines} aria-hidden />
      <div className={cn(styles.empty, !head && styles.withoutHead)}>
        <h2>{title}</h2>
        {about ? <p>{about}</p> : null}
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
    </div>
  )
}
