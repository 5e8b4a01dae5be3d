import { cn } from './class-names.ts'
import styles from './marks.module.css'

/** The states of a status icon, which are also their labels. */
export type StatusWord = 'Pending' | 'Processing' | 'Completed' | 'Error'

const shapes: Record<StatusWord, React.ReactNode> = {
  Pending: (
    <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.4 1.6" />
  ),
  Processing: (
    <>
      <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor" />
    </>
  ),
  Completed: (
    <path
      d="M2 6.4 4.8 9.2 10.2 3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  Error: (
    <>
      <path d="M6 1.4 11.2 10.6H.8z" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      <path d="M6 4.8v2.5M6 8.9v.1" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
    </>
  ),
}

const looks: Record<StatusWord, string | undefined> = {
  Pending: styles.pending,
  Processing: styles.processing,
  Completed: styles.completed,
  Error: styles.failed,
}

/** A status icon and its label. The default label is `word`. `title` is a tooltip, for example the reason of an error. */
export function Status({
  word,
  label = word,
  title,
}: {
  word: StatusWord
  label?: string
  title?: string | undefined
}) {
  return (
    <span className={cn(styles.status, looks[word])} title={title}>
      <svg viewBox="0 0 12 12" aria-hidden>
        {shapes[word]}
      </svg>
      {label}
    </span>
  )
}
