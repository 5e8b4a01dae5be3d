/** Maximum length of a name in code points. */
const MOST_LETTERS = 100
/** Maximum length of a name in bytes. File systems permit 255; the difference is for a date or number and an extension. */
const MOST_BYTES = 220
/** Device names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Invisible characters that reverse the text direction and can disguise a file's extension. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * Returns `text` as a path segment without separators, controls, dots at the ends and device names, so that it is valid on every
 * file system. Returns `fallback` if nothing remains.
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

/** Returns a function that makes paths unique: the second path of the same name (ignoring case) ends in 'name (2).pdf'. */
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
