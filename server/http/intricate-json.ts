import { AppError } from '#server/lib/errors.ts'

/** More than the largest legitimate body: 50,000 passages with three fields each. */
const MOST_PARTS = 300_000
/** Bodies of the API have only a few levels. */
const MOST_LEVELS = 60

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
/** `{`, and `[` with the bit EITHER set. */
const OPENING = 0x7b
/** `}`, and `]` with the bit EITHER set. */
const CLOSING = 0x7d
const EITHER = 0x20

/**
 * Refuses JSON with very many parts or levels before it is parsed. Sixty megabytes of `[],` become gigabytes of memory
 * and block the event loop for ten seconds; one text of that size takes a moment. Counts outside strings only. Invalid
 * JSON is left to the parser. Throws 'refused'.
 */
export function refuseIntricateJson(bytes: Uint8Array): void {
  if (isIntricate(bytes)) throw new AppError('refused', 'This request is too complex. Send less data at a time.')
}

/** Returns whether JSON has more parts or levels than any body of the API. */
export function isIntricate(bytes: Uint8Array): boolean {
  let parts = 0
  let level = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) parts += 1
    else if ((byte | EITHER) === OPENING) {
      parts += 1
      level += 1
    } else if ((byte | EITHER) === CLOSING) level -= 1
    if (parts > MOST_PARTS || level > MOST_LEVELS) return true
  }
  return false
}

/** Returns the end of the string that begins at `start`: the next quotation mark that is not escaped. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (before > start && bytes[before] === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return bytes.length
}
