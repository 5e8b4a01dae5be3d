/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** File storage. Keys are relative paths that the server creates; a key never comes from a client. */
export interface Storage {
  /**
   * Stores the local file at `path` under `key`, atomically; an existing file is replaced. May move the file at `path`.
   */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Returns the size in bytes, or null when the file does not exist. */
  size(key: string): Promise<number | null>
  /** Returns the file's bytes as a stream. Throws 'not_found' when the file does not exist. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>
  /**
   * Calls `work` with the path of a local copy (the file itself where files are local), which must only be read. Throws
   * 'not_found' when the file does not exist.
   */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Deletes the file. A missing file is no error. */
  remove(key: string): Promise<void>
  /** Yields every file with its size in bytes, unordered. Slow with many files. */
  list(): AsyncGenerator<{ key: string; size: number }>
  /** Throws when files cannot be stored at present. */
  check(): Promise<void>
}

/** Error codes of a full local disk. Callers have their own messages for them. */
export const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
