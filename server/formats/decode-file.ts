import { decodeText } from '#shared/text/decode-text.ts'

/**
 * Decodes a reference file. Uses the encoding of the byte order mark, else UTF-16 if almost every second byte is zero, else
 * UTF-8 if the bytes are valid UTF-8, else Windows-1252. Removes NUL characters, which the database cannot store.
 */
export function decodeFile(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes)
  const text = wide ? new TextDecoder(wide).decode(bytes) : decodeText(bytes, '')
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/**
 * Returns the 16-bit encoding of a text without a byte order mark, in which almost every second byte is zero; null for other
 * texts.
 */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const start = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (let at = 0; at < start.length; at++) if (start[at] === 0) zeros[at % 2]!++
  const enough = start.length * 0.3
  if (start.length < 4 || zeros[0]! + zeros[1]! < enough) return null
  if (zeros[1]! > enough && zeros[0]! < enough / 10) return 'utf-16le'
  return zeros[0]! > enough && zeros[1]! < enough / 10 ? 'utf-16be' : null
}
