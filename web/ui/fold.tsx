import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './marks.module.css'

/**
 * A collapsible section (`details` element). Its summary is a line between two rules. `about` is a note at the right end of
 * this line.
 */
export const Fold = ({ summary, about, children }: { summary: ReactNode; about?: ReactNode; children: ReactNode }) => (
  <details className={styles.fold}>
    <summary>
      <ChevronRight aria-hidden />
      {summary}
      {about ? <span className={styles.foldNote}>{about}</span> : null}
    </summary>
    {children}
  </details>
)
