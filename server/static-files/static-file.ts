import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
}
type Coding = keyof typeof compressors

/** Text shrinks to a fifth; fonts, images and WebAssembly of the reader are already compressed or read once. */
const COMPRESSIBLE = /^(text|application\/(json|manifest))|^image\/svg|wasm/

/** Cache of the compressed files of a build: a few megabytes, so it is unbounded. */
const packed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/**
 * Returns a local file with an ETag (304 when the client has it), compressed as the client accepts; null when the file
 * does not exist. The caller must have checked `path`.
 */
export async function staticFile(
  path: string,
  request: Request,
  contentType: string,
  cacheControl: string,
): Promise<Response | null> {
  const found = await stat(path).catch(missingIsNull)
  if (!found?.isFile()) return null
  const coding = COMPRESSIBLE.test(contentType) ? chooseCoding(request.headers.get('accept-encoding')) : null
  const version = `${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}`
  const headers = new Headers({
    'content-type': contentType,
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    etag: `"${version}${coding ? `-${coding}` : ''}"`,
  })
  if (request.headers.get('if-none-match')?.includes(headers.get('etag')!))
    return new Response(null, { status: 304, headers })
  const bytes = coding ? await packedFile(path, version, coding) : null
  if (coding) headers.set('content-encoding', coding)
  headers.set('content-length', String(bytes?.length ?? found.size))
  if (request.method === 'HEAD') return new Response(null, { headers })
  return new Response(bytes ?? (Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>), { headers })
}

/** Brotli before gzip; the client refuses a coding with q=0. */
function chooseCoding(accepted: string | null): Coding | null {
  const offered = (accepted ?? '').split(',').filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
  const taken = new Set(offered.map((one) => one.split(';')[0]!.trim()))
  return (['br', 'gzip'] as const).find((coding) => taken.has(coding)) ?? null
}

function packedFile(path: string, version: string, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  const key = `${coding} ${version} ${path}`
  let found = packed.get(key)
  if (!found) {
    found = readFile(path)
      .then(compressors[coding])
      .then((bytes) => new Uint8Array(bytes))
    packed.set(key, found)
    found.catch(() => packed.delete(key))
  }
  return found
}

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return null
  throw error
}
