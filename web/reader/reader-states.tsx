import './reader.css'
import type { ReactNode } from 'react'

/** An empty page while the file loads. `percent`: received part of the file, if known. */
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
  /** Alternatives to a retry. */
  children?: ReactNode
}

/** The reason why the pages cannot be shown, with a retry button where a retry can help. */
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
