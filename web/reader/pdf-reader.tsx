import { useCallback, useEffect, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { PageScroller } from './page-scroller.tsx'
import { PasswordForm } from './password-form.tsx'
import { LOAD_FAILED } from './open-pdf.ts'
import { ReaderFailure, ReaderLoading } from './reader-states.tsx'
import { usePdf } from './use-pdf.ts'

export interface PdfReaderProps {
  /** Same-origin URL of the PDF. The server should support Range requests. */
  source: string
  /**
   * The passage to show. The reader scrolls to it whenever the object changes, so pass a copy to scroll to the same passage
   * again. Without a quote, the reader only shows the page.
   */
  target: FoundPassage | null
  onPageCount?: (count: number) => void
  /** Called once for each failure, with the message that the reader shows. */
  onError?: (message: string) => void
}

/** Shows the pages of a PDF with selectable text. Scrolls to the passage `target` and highlights it. */
export function PdfReader({ source, target, onPageCount, onError }: PdfReaderProps) {
  const { state, retry } = usePdf(source)
  const [drawFailed, setDrawFailed] = useState(false)
  const failDrawing = useCallback(() => setDrawFailed(true), [])
  const message = state.kind === 'failed' ? state.message : drawFailed ? 'Failed to render PDF pages' : null
  const count = state.kind === 'ready' ? state.pdf.numPages : null

  useEffect(() => {
    if (count !== null) onPageCount?.(count)
  }, [count, onPageCount])
  useEffect(() => {
    if (message !== null) onError?.(message)
  }, [message, onError])

  if (message !== null) {
    const again = () => {
      setDrawFailed(false)
      retry()
    }
    const about = message === LOAD_FAILED ? 'The file may be damaged, or the connection was lost.' : undefined
    return <ReaderFailure message={message} {...(about ? { about } : {})} onRetry={again} />
  }
  if (state.kind === 'password') return <PasswordForm wrong={state.wrong} onSubmit={state.submit} />
  if (state.kind !== 'ready') return <ReaderLoading percent={state.kind === 'loading' ? state.percent : null} />
  return <PageScroller pdf={state.pdf} firstSize={state.firstSize} target={target} onDrawError={failDrawing} />
}
