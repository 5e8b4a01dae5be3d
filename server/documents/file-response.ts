import { disposition } from '#server/http/disposition.ts'
import type { ByteRange } from '#server/storage/file-storage.ts'

interface StoredFile {
  filename: string
  size: number
  /** Identifies the content of the file. It changes when the file is replaced. */
  version: string
  read: (range?: ByteRange) => Promise<ReadableStream<Uint8Array>>
}

/** The method and the headers of a request for a file that determine the response. */
interface FileRequest {
  method: string
  range?: string | undefined
  ifRange?: string | undefined
  ifNoneMatch?: string | undefined
}

/**
 * Returns a PDF as a response with support for one byte range (RFC 9110). The status is 200, 206, 304, or 416 with the file
 * size. The browser must revalidate a cached file before each use, so that another user of this browser cannot open it. The
 * response is sandboxed, so that an HTML page disguised as a PDF cannot run scripts.
 */
export async function fileResponse(file: StoredFile, request: FileRequest): Promise<Response> {
  const etag = `"${file.version}"`
  const headers = new Headers({
    'content-type': 'application/pdf',
    'accept-ranges': 'bytes',
    // Cached for an hour, but `no-cache` requires revalidation with the server before each use.
    'cache-control': 'private, no-cache, max-age=3600',
    etag,
    'content-disposition': disposition('inline', file.filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  if (isKnown(request.ifNoneMatch, etag)) return new Response(null, { status: 304, headers })
  // A part only completes other parts of the same file (RFC 9110, 13.1.5).
  const isPart = request.ifRange === undefined || request.ifRange.trim() === etag
  const range = isPart ? readRange(request.range, file.size) : null
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.size))
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  const body = request.method === 'HEAD' ? null : await file.read(range ?? undefined)
  return new Response(body, { status: range ? 206 : 200, headers })
}

/** Returns whether If-None-Match contains `etag`, by weak comparison (RFC 9110, 13.1.2). */
const isKnown = (header: string | undefined, etag: string) =>
  (header ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)

/**
 * Returns the requested byte range. Returns null (send the whole file) if the header is missing, has several ranges or another
 * unit.
 */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const start = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1)
  if (found[1] === '' && Number(found[2]) === 0) return 'unsatisfiable'
  return start < size && start <= end ? { start, end } : 'unsatisfiable'
}
