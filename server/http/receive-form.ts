import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { shownFileName } from '#shared/contract/document-files.ts'

/** A file in the folder for temporary files. `size` is in bytes, `sha256` in hexadecimal digits. */
export interface StoredPart {
  path: string
  filename: string
  size: number
  sha256: string
}

/** The files and fields of a form. `remove` deletes the files; always call it. */
export interface ReceivedForm {
  files: StoredPart[]
  fields: Record<string, string>
  remove(): Promise<void>
}

/** The limits of a form, and the errors of a form that exceeds them. */
export interface FormRules {
  maxFiles: number
  maxFields: number
  maxFieldBytes: number
  /** Maximum size of one file in bytes. */
  maxBytes: number
  tooLarge: () => AppError
  noFile: string
  tooManyFiles: string
  tooManyFields: string
  /**
   * Throws if a file is not of the expected kind. `head` is the beginning of the file: at least HEAD_BYTES, or the whole of a
   * smaller file.
   */
  checkHead?: (head: Buffer) => void
}

/** Maximum time for the parser after the whole body has arrived, in milliseconds. The parser hangs on some malformed bodies. */
const STUCK_MS = 10_000
/** Minimum number of bytes of a file that `checkHead` receives, if the file has so many. */
export const HEAD_BYTES = 1024

/** Returns a path for a temporary file. The server removes old files from the folder when it starts. */
export async function temporaryPath(): Promise<string> {
  const folder = join(env.DATA_DIR, 'uploads')
  await mkdir(folder, { recursive: true })
  return join(folder, randomUUID())
}

/**
 * Streams the files of a multipart body to disk, without a whole file in memory. Fields can precede or follow the files. A
 * field longer than `maxFieldBytes` is cut. Throws an AppError for a malformed body, a body without a file, too many or too
 * large files, and too many fields.
 */
export async function receiveForm(request: Request, rules: FormRules): Promise<ReceivedForm> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new AppError('wrong_type', 'The upload must be a multipart form.')
  const noFile = () => new AppError('refused', rules.noFile, { fields: { file: rules.noFile } })
  if (!request.body) throw noFile()
  const maxLength = rules.maxFiles * rules.maxBytes + 1024 * 1024
  if (Number(request.headers.get('content-length') ?? 0) > maxLength) throw rules.tooLarge()

  const fields: Record<string, string> = {}
  const files: Promise<StoredPart>[] = []
  const paths: string[] = []
  const remove = async () => void (await Promise.all(paths.map((path) => rm(path, { force: true }))))
  let incoming: Readable | undefined
  let refused: AppError | undefined
  let stuck: NodeJS.Timeout | undefined
  try {
    const parser = parserFor(type, rules)
    const first = await temporaryPath()
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.once('filesLimit', () => (refused = new AppError('refused', rules.tooManyFiles)))
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.once(limit, () => (refused ??= new AppError('malformed', rules.tooManyFields)))
    parser.on('file', (_name, stream, filename) => {
      // The PassThrough protects the part of the form: a failure destroys the source of `storeStream`, and a destroyed part of
      // a form blocks the rest of the body forever.
      const through = stream.pipe(new PassThrough())
      incoming = through
      stream.once('error', (error) => through.destroy(error))
      const path = `${first}-${paths.length}`
      paths.push(path)
      const file = storeStream(through, path, rules).then((stored) => {
        if (stream.truncated) throw rules.tooLarge()
        return { path, filename: shownFileName(filename ?? ''), ...stored }
      })
      files.push(file)
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
    if (files.length === 0) throw noFile()
    return { files: await Promise.all(files), fields, remove }
  } catch (error) {
    incoming?.destroy()
    await Promise.allSettled(files)
    await remove()
    throw error
  } finally {
    clearTimeout(stuck)
  }
}

function parserFor(type: string, { maxFiles, maxBytes, maxFields, maxFieldBytes }: FormRules) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files: maxFiles,
        fileSize: maxBytes,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxFiles + maxFields + 1,
      },
    })
  } catch (error) {
    throw new AppError('malformed', 'The upload must be a multipart form with a boundary.', { cause: error })
  }
}

/**
 * Writes a stream to a new file at `path`. Returns its size in bytes and its SHA-256 in hexadecimal digits. Throws `tooLarge()`
 * if the stream has more than `maxBytes`. Rethrows an error of `checkHead`, which checks the first bytes of the file. After an
 * error, the caller must delete the incomplete file.
 */
export async function storeStream(
  stream: Readable,
  path: string,
  { maxBytes, tooLarge, checkHead }: Pick<FormRules, 'maxBytes' | 'tooLarge' | 'checkHead'>,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  let head = Buffer.alloc(0)
  let checked = false
  const check = () => {
    checked = true
    checkHead?.(head)
  }
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        size += chunk.length
        if (size > maxBytes) throw tooLarge()
        hash.update(chunk)
        if (!checked) {
          head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)])
          if (head.length >= HEAD_BYTES) check()
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
