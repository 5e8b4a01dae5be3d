import type { ByteRange } from '#server/lib/storage.ts'
import { storedFileName } from '#shared/documents.ts'

interface StoredFile {
  filename: string
  size: number
  /** Names these bytes: another file has another one. */
  version: string
  read: (range?: ByteRange) => Promise<ReadableStream<Uint8Array>>
}

/** What a request says about the file beside its address. */
interface Asked {
  method: string
  range?: string | undefined
  ifRange?: string | undefined
  ifNoneMatch?: string | undefined
}

/**
 * Answers a private file with Range support (RFC 9110, one range): 200, 206, 304, or 416 with the size. A cache may keep
 * it and must ask before each use, so that who uses the browser after its owner gets it from no cache. It is shown under
 * a sandbox, so that an HTML page that calls itself a PDF could do nothing.
 */
export async function fileResponse(file: StoredFile, asked: Asked): Promise<Response> {
  const etag = `"${file.version}"`
  const headers = new Headers({
    'content-type': 'application/pdf',
    'accept-ranges': 'bytes',
    // Kept for an hour, and used by no request that the server has not allowed: `no-cache` demands that it is asked.
    'cache-control': 'private, no-cache, max-age=3600',
    etag,
    'content-disposition': `inline; filename="${storedFileName(file.filename, new Date(0)).slice(2)}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  if (isKnown(asked.ifNoneMatch, etag)) return new Response(null, { status: 304, headers })
  // A part is of use to who has the other parts of the same file (RFC 9110, 13.1.5).
  const isPart = asked.ifRange === undefined || asked.ifRange.trim() === etag
  const range = isPart ? readRange(asked.range, file.size) : null
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.size))
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  const body = asked.method === 'HEAD' ? null : await file.read(range ?? undefined)
  return new Response(body, { status: range ? 206 : 200, headers })
}

/** Whether the header If-None-Match names the version of `etag`, weakly compared (RFC 9110, 13.1.2). */
const isKnown = (header: string | undefined, etag: string) =>
  (header ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)

/** The one byte range asked for; null for none, several or another unit (the whole file answers those). */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const start = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1)
  if (found[1] === '' && Number(found[2]) === 0) return 'unsatisfiable'
  return start < size && start <= end ? { start, end } : 'unsatisfiable'
}
