import type { ReactNode } from 'react'
import type { RecordOutcome } from '#shared/contract/imports.ts'
import styles from './imports.module.css'

/**
 * The labels of the possible outcomes of a record of an import, for example of 'joined': the record was recognized as a
 * duplicate of an existing paper.
 */
export const OUTCOME_LABELS: Record<RecordOutcome, string> = {
  created: 'New',
  joined: 'Joined',
  skipped: 'Skipped',
  failed: 'Failed',
}

const SHAPES: Record<RecordOutcome, ReactNode> = {
  created: <path d="M6 1.8v8.4M1.8 6h8.4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />,
  joined: (
    <>
      <circle cx="4.3" cy="6" r="3.3" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <circle cx="7.7" cy="6" r="3.3" fill="none" stroke="currentColor" strokeWidth="1.3" />
    </>
  ),
  skipped: <path d="M2 6h8" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />,
  failed: (
    <>
      <path d="M6 1.4 11.2 10.6H.8z" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      <path d="M6 4.8v2.5M6 8.9v.1" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
    </>
  ),
}

/** Shows what happened to a record of an import as an icon and a word. Only failures have a colored background. */
export const OutcomeMark = ({ outcome, label }: { outcome: RecordOutcome; label?: string }) => (
  <span className={styles.outcome} data-outcome={outcome}>
    <svg viewBox="0 0 12 12" aria-hidden>
      {SHAPES[outcome]}
    </svg>
    {label ?? OUTCOME_LABELS[outcome]}
  </span>
)
