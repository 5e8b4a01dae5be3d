/**
 * Maximum length of a name in characters (code points). File systems limit a name to 255 bytes or UTF-16 units, so this leaves
 * room for a number and an extension in a name with mostly Latin letters.
 */
const MOST_LETTERS = 100
/** Device names that Windows reserves. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Invisible characters that reverse the text direction and can disguise a file's extension. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * Returns `text` as a path segment without separators, controls, dots at the ends and device names, so that it is valid on every
 * file system. Returns `fallback` if nothing remains.
 */
export function safeName(text: string, fallback: string): string {
  const name = [...text.normalize('NFC')]
    .filter((letter) => !TURNS.test(letter))
    .map((letter) => (letter < ' ' || '<>:"/\\|?*\u007f'.includes(letter) ? '_' : letter))
    .slice(0, MOST_LETTERS)
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
