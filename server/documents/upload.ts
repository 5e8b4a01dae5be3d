import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { NOT_A_PDF, shownFileName } from '#shared/contract/document-files.ts'

/** A received file in a temporary folder. `remove` deletes that folder; always call it. */
export interface ReceivedFile {
  path: string
  filename: string
  size: number
  sha256: string
  fields: Record<string, string>
  remove(): Promise<void>
}

const NO_FILE = 'Please select one or more files to upload'
/** How long the parser can take after the body has arrived: it hangs on some malformed bodies. */
const STUCK_MS = 10_000
/** The header of a PDF can follow up to 1024 bytes of other data (PDF 32000-1, Annex H). */
const HEADER_WINDOW = 1024

/**
 * Streams the single file of a multipart body to disk: never whole in memory, at most MAX_UPLOAD_MB, and only if its
 * content is a PDF, whatever its name. Small fields can precede or follow it.
 */
export async function receivePdf(request: Request): Promise<ReceivedFile> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new AppError('wrong_type', 'The upload must be a multipart form.')
  if (!request.body) throw new AppError('refused', NO_FILE, { fields: { file: NO_FILE } })
  const maxBytes = env.MAX_UPLOAD_MB * 1024 * 1024
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes + 1024 * 1024) throw tooLarge()

  const folder = join(env.DATA_DIR, 'uploads')
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomUUID())
  const remove = () => rm(path, { force: true })
  const fields: Record<string, string> = {}
  let file: Promise<{ filename: string; size: number; sha256: string }> | undefined
  let incoming: Readable | undefined
  let refused: AppError | undefined
  let stuck: NodeJS.Timeout | undefined
  try {
    const parser = parserFor(type, maxBytes)
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.once('filesLimit', () => (refused = new AppError('refused', 'Please send one file with each upload.')))
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.once(
        limit,
        () =>
          (refused ??= new AppError(
            'malformed',
            'The upload must contain one file and its project_id, and nothing else.',
          )),
      )
    parser.on('file', (_name, stream, filename) => {
      // A PassThrough between the two: a failure destroys the source of the file, and a destroyed part of a form blocks
      // the rest of the body forever.
      const through = stream.pipe(new PassThrough())
      incoming = through
      stream.once('error', (error) => through.destroy(error))
      file = storeChecked(through, path).then((stored) => {
        if (stream.truncated) throw tooLarge()
        return { filename: shownFileName(filename ?? ''), ...stored }
      })
      // Errors are awaited below; until then they must not count as unhandled. The rest of the body is dropped.
      file.catch(() => {
        stream.unpipe(through)
        stream.resume()
      })
    })
    const body = Readable.fromWeb(request.body as import('node:stream/web').ReadableStream)
    body.once(
      'end',
      () => (stuck = setTimeout(() => parser.destroy(new Error('The multipart body has no end.')), STUCK_MS)),
    )
    await pipeline(body, parser).catch((error: unknown) => {
      throw error instanceof AppError
        ? error
        : new AppError('malformed', 'The upload ended before it was complete.', { cause: error })
    })
    if (refused) throw refused
    if (!file) throw new AppError('refused', NO_FILE, { fields: { file: NO_FILE } })
    const received = await file
    return { path, ...received, fields, remove }
  } catch (error) {
    incoming?.destroy()
    await file?.catch(() => undefined)
    await remove()
    throw error
  } finally {
    clearTimeout(stuck)
  }
}

/**
 * Streams a PDF that does not come from a form, such as a file of Google Drive, to disk. Checks and limits it as
 * receivePdf does. `filename` is its name at the source; `fields` are returned unchanged, as the fields of a form.
 */
export async function receivePdfStream(
  body: ReadableStream<Uint8Array>,
  filename: string,
  fields: Record<string, string>,
): Promise<ReceivedFile> {
  const folder = join(env.DATA_DIR, 'uploads')
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomUUID())
  const remove = () => rm(path, { force: true })
  const maxBytes = env.MAX_UPLOAD_MB * 1024 * 1024
  try {
    const source = Readable.fromWeb(body as import('node:stream/web').ReadableStream)
    return { path, filename: shownFileName(filename), ...(await storeChecked(source, path, maxBytes)), fields, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function parserFor(type: string, maxBytes: number) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fileSize: maxBytes, fields: 10, fieldSize: 10_000, parts: 12 },
    })
  } catch (error) {
    throw new AppError('malformed', 'The upload must be a multipart form with a boundary.', { cause: error })
  }
}

async function storeChecked(
  stream: Readable,
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  let head = Buffer.alloc(0)
  let checked = false
  const check = () => {
    checked = true
    if (!head.includes('%PDF-')) throw new AppError('wrong_type', NOT_A_PDF, { fields: { file: NOT_A_PDF } })
  }
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        size += chunk.length
        if (size > maxBytes) throw tooLarge()
        hash.update(chunk)
        if (!checked) {
          head = Buffer.concat([head, chunk.subarray(0, HEADER_WINDOW)])
          if (head.length >= HEADER_WINDOW) check()
        }
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        if (!checked) check()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  await pipeline(stream, watch, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return { size, sha256: hash.digest('hex') }
}

const tooLarge = () => new AppError('too_large', `The file is larger than ${env.MAX_UPLOAD_MB} MB.`)
