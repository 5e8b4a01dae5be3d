import { pdfjsOptions, pdfjsWorkerUrl } from '#web/lib/pdfjs.ts'
import { startTrustedTypes } from '#web/lib/trusted-types.ts'
import { type ExtractedText, type PdfDocument, readPdf, TooManyPages } from '#shared/pdf-text/read-pdf.ts'
import { getDocument, PasswordResponses, PDFWorker } from 'pdfjs-dist'

export interface ExtractRequest {
  /** URL of the PDF on this server, or its bytes. */
  source: { url: string } | { data: ArrayBuffer }
  password?: string
}

export type ExtractReply =
  | { progress: { page: number; pages: number } }
  | { result: ExtractedText }
  | { failure: ExtractFailure }

export type ExtractFailure =
  | { kind: 'password'; wrong: boolean }
  | { kind: 'fetch'; status: number }
  | { kind: 'pages'; message: string }
  | { kind: 'broken'; message: string }

/** Thrown if the server did not deliver the file. `status` is the HTTP status, or 0 if the server is unreachable. */
class FetchFailed extends Error {
  readonly status: number

  constructor(status: number) {
    super(`Status ${status}`)
    this.status = status
  }
}

startTrustedTypes()

addEventListener('message', (event: MessageEvent<ExtractRequest>) => void answer(event.data))

const send = (reply: ExtractReply) => postMessage(reply)

async function answer(request: ExtractRequest) {
  try {
    const data = 'data' in request.source ? request.source.data : await download(request.source.url)
    // pdf.js parses in a nested worker and the layout runs in this one, so the main thread stays free.
    const worker = PDFWorker.create({ port: new Worker(pdfjsWorkerUrl, { type: 'module' }) })
    const loading = getDocument({
      ...pdfjsOptions,
      data: new Uint8Array(data),
      password: request.password,
      worker,
      useWorkerFetch: true,
      disableFontFace: true,
      useSystemFonts: false,
    })
    const pdf = (await loading.promise) as unknown as PdfDocument
    send({ result: await readPdf(pdf, (page, pages) => send({ progress: { page, pages } })) })
  } catch (error) {
    send({ failure: failureOf(error) })
  }
}

async function download(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url, { credentials: 'same-origin' }).catch(() => null)
  if (!response?.ok) throw new FetchFailed(response?.status ?? 0)
  return response.arrayBuffer()
}

function failureOf(error: unknown): ExtractFailure {
  if (error instanceof FetchFailed) return { kind: 'fetch', status: error.status }
  if (error instanceof TooManyPages) return { kind: 'pages', message: error.message }
  const { name = '', message = '', code } = error as { name?: string; message?: string; code?: unknown }
  if (name === 'PasswordException') return { kind: 'password', wrong: code === PasswordResponses.INCORRECT_PASSWORD }
  return { kind: 'broken', message: `${name}: ${message}` }
}
