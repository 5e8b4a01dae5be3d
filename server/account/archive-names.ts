/** Most file systems end a name at 255 bytes; this leaves room for a number and an ending. */
const MOST_LETTERS = 100
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Letters that are not seen and turn what stands beside them around, so that another ending seems to be there. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/** One part of a path that every file system takes: no separators, controls, dots at the ends or device names. */
export function safeName(text: string, fallback: string): string {
  const name = [...text.normalize('NFC')]
    .filter((letter) => !TURNS.test(letter))
    .map((letter) => (letter < ' ' || '<>:"/\\|?*\u007f'.includes(letter) ? '_' : letter))
    .slice(0, MOST_LETTERS)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return name === '' ? fallback : DEVICE.test(name.split('.')[0]!) ? `_${name}` : name
}

/** Gives every path once: the second of the same name (letter case aside) becomes 'name (2).pdf'. */
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
