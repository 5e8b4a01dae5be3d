import type { ReactNode } from 'react'
import { cn } from '#web/ui/class-names.ts'
import styles from './answer.module.css'

const NONE: readonly ReactNode[] = []

/**
 * The layout of a question or an answer: a label and the content. The label is in the left column, or above the content if the
 * area of the conversation is narrow.
 */
export const AnswerRow = ({
  label,
  about = NONE,
  isGroup = false,
  children,
}: {
  label?: string
  /** Lines below the label. */
  about?: readonly ReactNode[]
  /** True if the row shows one side of a disagreement between papers. */
  isGroup?: boolean
  children: ReactNode
}) => (
  <div className={cn(styles.answerRow, isGroup && styles.groupRow)}>
    <div className={styles.rowLabel}>
      {label ? <h3>{label}</h3> : null}
      {about.map((line, index) => (
        <span key={index}>{line}</span>
      ))}
    </div>
    <div className="min-w-0 empty:hidden">{children}</div>
  </div>
)
