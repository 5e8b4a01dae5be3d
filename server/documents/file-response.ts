import type { ByteRange } from '#server/lib/storage.ts'
import { storedFileName } from '#shared/documents.ts'

interface StoredFile {
  filename: string
  size: number
  read: (range?: ByteRange) => Promise<ReadableStream<Uint8Array>>
}

/**
 * Answers a private file with Range support (RFC 9110, one range): 200, 206, or 416 with the size. It is shown under a
 * sandbox, so that an HTML page that calls itself a PDF could do nothing.
 */
export async function fileResponse(
  file: StoredFile,
  rangeHeader: string | undefined,
  headOnly: boolean,
): Promise<Response> {
  const headers = new Headers({
    'content-type': 'application/pdf',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-disposition': `inline; filename="${storedFileName(file.filename, new Date(0)).slice(2)}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  const range = readRange(rangeHeader, file.size)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.size))
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  return new Response(headOnly ? null : await file.read(range ?? undefined), { status: range ? 206 : 200, headers })
}

/** The one byte range asked for; null for none, several or another unit (the whole file answers those). */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const start = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1)
  if (found[1] === '' && Number(found[2]) === 0) return 'unsatisfiable'
  return start < size && start <= end ? { start, end } : 'unsatisfiable'
}
