/** A range of bytes from `start` to `end`. Both offsets are included. */
export interface ByteRange {
  start: number
  end: number
}

/** File storage. Keys are relative paths that the server creates; a key never comes from a client. */
export interface Storage {
  /** Stores the local file at `path` under `key`, atomically. Replaces an existing file. The file at `path` may be moved. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Returns the size in bytes, or null when the file does not exist. */
  size(key: string): Promise<number | null>
  /** Returns the file's bytes as a stream. Throws 'not_found' when the file does not exist. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>
  /**
   * Calls `work` with the path of a local copy of the file, or of the stored file itself if the storage is local. `work` must
   * only read it. Throws 'not_found' if the file does not exist.
   */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Deletes the file. A missing file is no error. */
  remove(key: string): Promise<void>
  /** Yields every file with its size in bytes, unordered. Slow with many files. */
  list(): AsyncGenerator<{ key: string; size: number }>
  /** Throws if files cannot be stored now. */
  check(): Promise<void>
}

/** Error codes of a full local disk. Callers have their own messages for a full disk. */
export const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
