/** Most file systems limit a name to 255 bytes. This leaves room for a number and an extension. */
const MOST_LETTERS = 100
/** Device names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Invisible characters that reverse the text direction and can disguise a file's extension. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/** Makes a path segment that is valid on every file system: no separators, controls, dots at the ends or device names. */
export function safeName(text: string, fallback: string): string {
  const name = [...text.normalize('NFC')]
    .filter((letter) => !TURNS.test(letter))
    .map((letter) => (letter < ' ' || '<>:"/\\|?*\u007f'.includes(letter) ? '_' : letter))
    .slice(0, MOST_LETTERS)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return name === '' ? fallback : DEVICE.test(name.split('.')[0]!) ? `_${name}` : name
}

/** Returns a function that makes paths unique: the second of the same name (ignoring case) becomes 'name (2).pdf'. */
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
