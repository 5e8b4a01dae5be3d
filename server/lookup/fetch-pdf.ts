import { receivePdfStream } from '#server/documents/index.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { guardedFetch, type GuardedResponse } from '#server/fetch/guarded-fetch.ts'
import { pdfNamedBy } from './pdf-named-by.ts'

const TIME_LIMIT_MS = 3 * 60_000
/**
 * Number of bytes at the start of a web page that are read. They contain the head of the page, in which publishers give the
 * address of the PDF (inclusion guidelines of Google Scholar).
 */
const PAGE_MAX_BYTES = 300_000

type Received = Awaited<ReturnType<typeof receivePdfStream>>

/**
 * Downloads a PDF into a temporary file. `address` is the address of the PDF, or of a web page whose head contains the address
 * of the PDF. The caller must call `remove` on the result. Requests only public addresses, reads at most MAX_UPLOAD_MB, and
 * refuses content that is not a PDF.
 */
export async function fetchPdf(address: string, name: string, signal: AbortSignal): Promise<Received> {
  const first = await ask(address, signal)
  if (!isPage(first)) return receivePdfStream(first.body, name, {})
  const named = pdfNamedBy(await readHead(first), first.url)
  if (!named) throw new AppError('wrong_type', 'There is a web page, not a PDF, at this address.')
  const second = await ask(named, signal)
  if (!isPage(second)) return receivePdfStream(second.body, name, {})
  await second.body.cancel()
  throw new AppError('wrong_type', 'There is a web page, not a PDF, at this address.')
}

async function ask(address: string, signal: AbortSignal): Promise<GuardedResponse> {
  const response = await guardedFetch(address, {
    maxBytes: env.MAX_UPLOAD_MB * 1024 * 1024,
    timeoutMs: TIME_LIMIT_MS,
    accept: 'application/pdf, text/html;q=0.5, */*;q=0.1',
    signal,
  })
  if (response.status >= 200 && response.status < 300) return response
  await response.body.cancel()
  // A retry may help after a 429 or a server error, and not after another status.
  const code = response.status >= 500 || response.status === 429 ? 'outside_failed' : 'refused'
  throw new AppError(code, `The address answered ${response.status}.`)
}

const isPage = (response: GuardedResponse) =>
  /^(?:text\/html|application\/xhtml\+xml)\b/i.test(response.headers.get('content-type') ?? '')

async function readHead(response: GuardedResponse): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = response.body.getReader()
  while (size < PAGE_MAX_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    size += value.length
  }
  await reader.cancel()
  return Buffer.concat(parts).toString('utf8')
}
