import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Returns a pass-through stream that measures its data. `sha256()` (hex) and `size()` (bytes) are valid after the stream has
 * ended.
 */
export function measured(): Transform & { sha256: () => string; size: () => number } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return Object.assign(stream, { sha256: () => hash.digest('hex'), size: () => bytes })
}

/** Returns the SHA-256 of a file, in hex. Rejects with the file system's error if the file cannot be read. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
