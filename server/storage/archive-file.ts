import { storage } from './storage.ts'

/** A stored file that is being read into an archive. */
export interface ArchiveFile {
  size: number
  input: ReadableStream<Uint8Array>
  /** Ends the reading, even in the middle of the file. Call it after the archive has read the file, or was cancelled. */
  close: () => Promise<void>
}

/**
 * Opens a stored file for an archive. Returns null if the file does not exist. The caller must call `close`: a cancelled
 * archive does not cancel the stream of its current file, and the process ends if an open file handle is garbage-collected.
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
