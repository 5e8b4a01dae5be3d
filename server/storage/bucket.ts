import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { FailedTry, withRetries } from '#server/fetch/retry.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { storageErrors } from '#server/lib/metrics.ts'
import { FULL, type Storage } from './file-storage.ts'
import { watchReads } from './watch-reads.ts'

/**
 * Returns the request option that sets the time limit of a request without a body. Without it, three attempts would take a
 * minute if the bucket does not answer.
 */
const soon = () => ({ abortSignal: AbortSignal.timeout(SOON_MS) })
const SOON_MS = 10_000
/** Time in milliseconds for which the bucket may send nothing while the server waits for it. */
const SILENCE_MS = 20_000
const TRIES = 3
/** Error codes of a connection that the bucket closed or refused. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED'])
const PUTS = { tries: TRIES, backoffMs: 200, longestWaitMs: SOON_MS }

/** Opens an S3-compatible bucket as a file storage. Its objects are private: users read them only through this server. */
export function openBucket(): Storage {
  const Bucket = env.S3_BUCKET!
  const settings = {
    endpoint: env.S3_ENDPOINT!,
    region: env.S3_REGION!,
    forcePathStyle: true,
    credentials: { accessKeyId: env.S3_ACCESS_KEY_ID!, secretAccessKey: env.S3_SECRET_ACCESS_KEY! },
    // With the mode 'auto', which the environment can set, the client would ask the network of the machine for its region.
    defaultsMode: 'standard',
    // Not every S3-compatible service supports the newer checksum headers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
  } as const
  // By default the client waits forever for a bucket that accepts the connection and then stays silent.
  const client = new S3Client({
    ...settings,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: SILENCE_MS },
  })
  // A timeout of the socket would also end the download of a user who pauses it, because the server then reads nothing. Such
  // downloads must not occupy all sockets.
  const reader = new S3Client({
    ...settings,
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 0,
      requestTimeout: SILENCE_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: Infinity },
      httpsAgent: { maxSockets: Infinity },
    },
  })
  const get = async (Key: string, range?: { start: number; end: number }) => {
    const found = await reader
      .send(new GetObjectCommand({ Bucket, Key, ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }))
      .catch(missingIsNull)
    if (!found?.Body) throw notFound('File')
    return watchReads(found.Body.transformToWebStream() as ReadableStream<Uint8Array>, SILENCE_MS)
  }
  return {
    putFile: async (Key, path, ContentType) => {
      const { size } = await stat(path)
      const put = () => {
        const Body = createReadStream(path)
        return client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: size, ContentType })).catch(failPut)
      }
      await withRetries(put, PUTS).catch(count)
      await rm(path, { force: true })
    },
    size: async (Key) =>
      (await client.send(new HeadObjectCommand({ Bucket, Key }), soon()).catch(missingIsNull))?.ContentLength ?? null,
    read: get,
    withLocalFile: async (key, work) => {
      const folder = await mkdtemp(join(tmpdir(), 'lectern-file-'))
      try {
        const path = join(folder, 'file')
        await pipeline(
          Readable.fromWeb((await get(key)) as import('node:stream/web').ReadableStream),
          createWriteStream(path),
        ).catch(brokenOff)
        return await work(path)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    remove: async (Key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key }), soon()).catch(explain)
    },
    list: async function* () {
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
          for (const { Key, Size = 0 } of Contents) if (Key) yield { key: Key, size: Size }
      } catch (error) {
        explain(error)
      }
    },
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket }), soon()).catch(explain)
    },
  }
}

/**
 * Throws a FailedTry for a failed put (upload of an object), so that `withRetries` can repeat it. The S3 client does not repeat
 * a request whose body is a stream, and a bucket can close an idle connection just before it is used. A put that gets no answer
 * is not repeated.
 */
function failPut(error: unknown): never {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0
  const isBroken = BROKEN.has((error as NodeJS.ErrnoException).code ?? '')
  throw new FailedTry({ error: noAnswer(error), retry: isBroken || status >= 500 || status === 429 })
}

function missingIsNull(error: unknown): null {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
  return explain(error)
}

/** Throws the error for a stream from the bucket that ended early. The error of a full local disk is thrown unchanged. */
function brokenOff(error: unknown): never {
  if (FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  return explain(error)
}

function explain(error: unknown): never {
  return count(noAnswer(error))
}

function count(error: unknown): never {
  storageErrors.inc({ reason: 'failed' })
  throw error
}

const noAnswer = (cause: unknown) =>
  new AppError('outside_failed', 'The file storage did not answer. Please try again later.', { cause })
