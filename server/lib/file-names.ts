/** Maximum length of a name in code points. */
const MOST_LETTERS = 100
/** Maximum length of a name in bytes. File systems permit 255 bytes; the rest is for a date or number and an extension. */
const MOST_BYTES = 220
/** Device names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Matches invisible characters that reverse the text direction. They can disguise the extension of a file. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * Returns `text` as one segment of a path that is valid on every file system: without separators, control characters, dots at
 * the ends and device names. Returns `fallback` if no characters remain.
 */
export function safeName(text: string, fallback: string): string {
  let bytes = 0
  const name = [...text.normalize('NFC')]
    .filter((letter) => !TURNS.test(letter))
    .map((letter) => (letter < ' ' || '<>:"/\\|?*\u007f'.includes(letter) ? '_' : letter))
    .slice(0, MOST_LETTERS)
    .filter((letter) => (bytes += Buffer.byteLength(letter)) <= MOST_BYTES)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return name === '' ? fallback : DEVICE.test(name.split('.')[0]!) ? `_${name}` : name
}

/**
 * Returns a function that makes paths unique. If a path was used before (ignoring case), the function returns it as 'name
 * (2).pdf'.
 */
export function uniquePaths() {
  const taken = new Set<string>()
  return (folder: string, name: string, ending: string): string => {
    for (let at = 1; ; at++) {
      const path = `${folder}/${name}${at === 1 ? '' : ` (${at})`}${ending}`
      const seen = path.toLowerCase()
      if (taken.has(seen)) continue
      taken.add(seen)
      return path
    }
  }
}
