import { PasswordResponses, type PDFDocumentProxy } from 'pdfjs-dist'
import { useCallback, useEffect, useState } from 'react'
import { openFailure, openPdf } from './open-pdf.ts'
import type { PageSize } from './page-stack.ts'

/** Loading state of a PDF. `percent` is null while the size of the file is unknown. */
export type PdfState =
  | { kind: 'loading'; percent: number | null }
  | { kind: 'password'; wrong: boolean; submit: (password: string) => void }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; pdf: PDFDocumentProxy; firstSize: PageSize }

const LOADING: PdfState = { kind: 'loading', percent: null }

/**
 * Opens the PDF at the URL `source`. Closes it, with its workers and requests, when the URL changes or the component unmounts.
 * A password is passed to the worker and not stored.
 */
export function usePdf(source: string): { state: PdfState; retry: () => void } {
  const [state, setState] = useState<PdfState>(LOADING)
  const [attempt, setAttempt] = useState(0)
  const retry = useCallback(() => setAttempt((count) => count + 1), [])

  useEffect(() => {
    let isUnmounted = false
    const show = (next: PdfState) => {
      if (!isUnmounted) setState(next)
    }
    show(LOADING)
    const task = openPdf(source)
    task.onProgress = ({ percent }: { percent: number }) => {
      show({ kind: 'loading', percent: Number.isFinite(percent) ? percent : null })
    }
    task.onPassword = (submit: (password: string) => void, reason: number) => {
      show({ kind: 'password', wrong: reason === PasswordResponses.INCORRECT_PASSWORD, submit })
    }
    task.promise
      .then(async (pdf) => {
        // Later range requests must not show the loading state again.
        task.onProgress = () => {}
        const first = (await pdf.getPage(1)).getViewport({ scale: 1 })
        show({ kind: 'ready', pdf, firstSize: { width: first.width, height: first.height } })
      })
      .catch((error: unknown) => show({ kind: 'failed', message: openFailure(error) }))
    return () => {
      isUnmounted = true
      void task.destroy()
    }
  }, [source, attempt])

  return { state, retry }
}
