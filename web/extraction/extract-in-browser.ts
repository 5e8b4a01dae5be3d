import type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'
import type { ExtractFailure, ExtractReply, ExtractRequest } from './extract.worker.ts'

/**
 * Thrown by `extractInBrowser` if a PDF needs a password. `wrong` is true if a password was given and is not correct. The
 * caller should ask the user for the password and call `extractInBrowser` again with it.
 */
export class PasswordRequired extends Error {
  override readonly name = 'PasswordRequired'
  readonly wrong: boolean

  constructor(wrong: boolean) {
    super(wrong ? 'The password is not right.' : 'This PDF is protected by a password.')
    this.wrong = wrong
  }
}

/** Thrown if a PDF cannot be read. The message is for the user. */
export class BrokenPdf extends Error {
  override readonly name = 'BrokenPdf'
  /** False if the server did not deliver the file. */
  readonly isFetched: boolean

  constructor(message: string, options?: ErrorOptions & { isFetched?: boolean }) {
    super(message, options)
    this.isFetched = options?.isFetched ?? true
  }
}

export interface BrowserExtractionOptions {
  /** Used for this extraction only; never sent to the server. */
  password?: string
  onProgress?: (page: number, pages: number) => void
  signal?: AbortSignal
}

/**
 * Reads the text layer of a PDF in a worker, so that the page stays responsive. Returns the same text as the server's
 * extraction. `url` is a URL of this server; `data` is transferred to the worker and cannot be used afterwards. Throws
 * PasswordRequired, BrokenPdf (also if the file cannot be fetched), or the reason of `signal`.
 */
export function extractInBrowser(
  source: { url: string } | { data: ArrayBuffer },
  options: BrowserExtractionOptions = {},
): Promise<ExtractedText> {
  const { signal, onProgress, password } = options
  return new Promise<ExtractedText>((resolve, reject) => {
    signal?.throwIfAborted()
    const worker = new Worker(new URL('./extract.worker.ts', import.meta.url), { type: 'module' })
    const onAbort = () => finish(() => reject(signal?.reason as Error))
    const finish = (settle: () => void) => {
      signal?.removeEventListener('abort', onAbort)
      // Also ends pdf.js's nested worker.
      worker.terminate()
      settle()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<ExtractReply>) => {
      if ('progress' in data) onProgress?.(data.progress.page, data.progress.pages)
      else if ('result' in data) finish(() => resolve(data.result))
      else finish(() => reject(failureError(data.failure)))
    })
    worker.addEventListener('error', (event) => {
      finish(() => reject(new BrokenPdf('This browser could not start to read the PDF.', { cause: event.message })))
    })
    const request: ExtractRequest = { source, ...(password === undefined ? {} : { password }) }
    worker.postMessage(request, 'data' in source ? [source.data] : [])
  })
}

function failureError(failure: ExtractFailure): Error {
  if (failure.kind === 'password') return new PasswordRequired(failure.wrong)
  if (failure.kind === 'pages') return new BrokenPdf(failure.message)
  if (failure.kind === 'fetch') {
    return new BrokenPdf(
      failure.status > 0 ? `Failed to fetch PDF: ${failure.status}` : 'The server cannot be reached.',
      { isFetched: false },
    )
  }
  return new BrokenPdf('This file is damaged and cannot be read as a PDF.', { cause: failure.message })
}
