/**
 * Normalizes text to letters and digits in lower case, without accents and ligatures. This removes line breaks, hyphenation,
 * quotation marks and spacing, in which a PDF and a quote differ most.
 */

/**
 * A normalized text. `map[i]` is the index in the source of the UTF-16 unit from which unit `i` of `text` came; it never
 * decreases.
 */
export interface NormalizedText {
  text: string
  map: number[]
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const MARK = /\p{M}/u
const seen = new Map<number, string>()

/** Normalizes one character beyond ASCII: 'ﬁ' -> 'fi', 'É' -> 'e', '²' -> '2', '—' -> ''. */
function fold(codePoint: number): string {
  const known = seen.get(codePoint)
  if (known !== undefined) return known
  // Upper case and then lower case approximates case folding: 'ß' -> 'ss', 'ς' -> 'σ'.
  const lower = String.fromCodePoint(codePoint).normalize('NFKD').toUpperCase().toLowerCase()
  const folded = [...lower].filter((c) => LETTER_OR_DIGIT.test(c)).join('')
  seen.set(codePoint, folded)
  return folded
}

/**
 * Returns the letters and digits of `text` in lower case without accents and other combining marks (NFKD), and the offset of
 * each in `text`. Linear time.
 */
export function normalizeWithMap(text: string): NormalizedText {
  const units: number[] = []
  const map: number[] = []
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 128) {
      const isUpper = unit >= 65 && unit <= 90
      if (isUpper || (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)) {
        units.push(isUpper ? unit + 32 : unit)
        map.push(at)
      }
      continue
    }
    const codePoint = text.codePointAt(at)!
    const folded = fold(codePoint)
    for (let k = 0; k < folded.length; k++) {
      units.push(folded.charCodeAt(k))
      map.push(at)
    }
    if (codePoint > 0xffff) at++
  }
  return { text: fromUnits(units), map }
}

/** Returns the end offset of the source character that starts at `at`, including its combining marks. */
export function endOfCharacter(source: string, at: number): number {
  let end = at + (source.codePointAt(at)! > 0xffff ? 2 : 1)
  while (end < source.length && MARK.test(source[end]!)) end++
  return end
}

function fromUnits(units: number[]): string {
  let text = ''
  // The number of arguments of a call is limited.
  for (let at = 0; at < units.length; at += 8192) text += String.fromCharCode(...units.slice(at, at + 8192))
  return text
}
