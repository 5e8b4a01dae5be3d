import { AppError } from './errors.ts'

/** More than the largest honest body has: 50,000 passages with three fields each. */
const MOST_PARTS = 300_000
/** No body of the API nests deeper than a few levels. */
const MOST_LEVELS = 60

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
/** `{`, and with the same bit set `[`. */
const OPENING = 0x7b
/** `}` and `]`. */
const CLOSING = 0x7d
const EITHER = 0x20

/**
 * Refuses JSON of very many small parts or levels before it is parsed: sixty megabytes of `[],` become gigabytes of memory and
 * hold up everybody for ten seconds, where sixty megabytes of one text take a moment. Counts what stands outside texts;
 * what is no JSON at all is left to the parser.
 */
export function refuseIntricateJson(bytes: Uint8Array): void {
  if (isIntricate(bytes)) throw new AppError('refused', 'This request has too many parts.')
}

/** Whether JSON has more parts or levels than anything that the API takes. */
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

/** Where the text that begins at `start` ends: the next quotation mark that no odd number of backslashes stands before. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (before > start && bytes[before] === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at
  }
  return bytes.length
}
