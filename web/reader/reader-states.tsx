import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/marks.tsx'
import styles from './reader.module.css'

/** An empty page, shown while the file loads. `percent`: the received part of the file, or null if it is unknown. */
export function ReaderLoading({ percent = null }: { percent?: number | null }) {
  return (
    <div className={cn(styles.frame, styles.wait)} aria-busy="true">
      <div className={styles.blank} aria-hidden="true">
        <Skeleton width="70%" height="1.25rem" />
        <Skeleton width="45%" />
        {[92, 88, 95, 90, 84, 93, 60].map((width) => (
          <Skeleton key={width} width={`${width}%`} />
        ))}
      </div>
      <p className="sr-only" role="status">
        {percent === null || percent >= 100 ? 'Loading the pages' : `Loading the pages: ${Math.round(percent)}%`}
      </p>
    </div>
  )
}

interface ReaderFailureProps {
  message: string
  about?: string
  onRetry?: () => void
  /** Other actions, shown after the retry button. */
  children?: ReactNode
}

/** Shows why the pages cannot be displayed, with a retry button if a retry can help. */
export function ReaderFailure({ message, about, onRetry, children }: ReaderFailureProps) {
  return (
    <div className={styles.message} role="alert">
      <h2>{message}</h2>
      {about ? <p>{about}</p> : null}
      {onRetry ? <Button onClick={onRetry}>Retry</Button> : null}
      {children}
    </div>
  )
}
