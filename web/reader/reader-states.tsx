import './reader.css'
import type { ReactNode } from 'react'

/** A blank sheet in the place of the first page. `percent` of the file that has arrived, when known. */
export function ReaderLoading({ percent = null }: { percent?: number | null }) {
  return (
    <div className="reader-frame reader-wait" aria-busy="true">
      <div className="reader-blank" aria-hidden="true">
        <i className="skel" style={{ width: '70%', height: '1.25rem' }} />
        <i className="skel" style={{ width: '45%' }} />
        {[92, 88, 95, 90, 84, 93, 60].map((width) => (
          <i key={width} className="skel" style={{ width: `${width}%` }} />
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
  /** Another way out than trying again. */
  children?: ReactNode
}

/** Why the pages cannot be shown, and the way to try again where that may help. */
export function ReaderFailure({ message, about, onRetry, children }: ReaderFailureProps) {
  return (
    <div className="reader-message" role="alert">
      <h2>{message}</h2>
      {about ? <p>{about}</p> : null}
      {onRetry ? (
        <button type="button" className="btn btn-outline" onClick={onRetry}>
          Retry
        </button>
      ) : null}
      {children}
    </div>
  )
}
