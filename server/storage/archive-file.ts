import { storage } from './storage.ts'

/** A stored file that is read into an archive. */
export interface ArchiveFile {
  size: number
  input: ReadableStream<Uint8Array>
  /** Ends the reading, also in the middle of the file. Call it when the archive has read the file or has been cancelled. */
  close: () => Promise<void>
}

/**
 * Opens a stored file for an archive; null if it is not in the storage. The caller must call `close`: a cancelled archive does
 * not cancel the stream of its current file, and a file handle that is garbage-collected while it is open ends the process.
 */
export async function openArchiveFile(key: string): Promise<ArchiveFile | null> {
  const size = await storage().size(key)
  if (size === null) return null
  const reader = (await storage().read(key)).getReader()
  const input = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const { done, value } = await reader.read()
        if (done) stream.close()
        else stream.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return { size, input, close: () => reader.cancel().catch(() => undefined) }
}
