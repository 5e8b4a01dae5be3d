import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './marks.module.css'

/** A line between two rules that opens the content below it. `about` is a note at its right end. */
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
