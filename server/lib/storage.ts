import { env } from './env.ts'
import { openFolder } from './storage/folder.ts'
import { openBucket } from './storage/bucket.ts'

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Where files live. Keys are relative paths that the server makes itself; a key never comes from a client. */
export interface Storage {
  /**
   * Stores the file at `path` (of this machine) under `key`, whole or not at all; an existing file is replaced.
   * The file at `path` may be moved away by this.
   */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Size in bytes, or null when there is no such file. */
  size(key: string): Promise<number | null>
  /** The file's bytes as a stream; throws AppError 'not_found' when there is no such file. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>
  /** Gives `work` the path of a local copy (the file itself where files are local); it must only read it. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Removes the file; one that is not there is fine. */
  remove(key: string): Promise<void>
  /** Every file with its bytes, in no order: takes a while where there are many. */
  list(): AsyncGenerator<{ key: string; size: number }>
  /** Throws when files cannot be stored just now. */
  check(): Promise<void>
}

let opened: Storage | undefined

/** The storage that the settings name: an S3-compatible bucket, or files under DATA_DIR. */
export const storage = (): Storage => (opened ??= env.S3_BUCKET ? openBucket() : openFolder(`${env.DATA_DIR}/files`))
