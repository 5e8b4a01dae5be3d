/**
 * Text reduced to what its reader would call the same: letters and digits, in lower case, without accents, ligatures
 * undone. Line breaks, hyphenation, quotation marks and spacing, in which a PDF and a quote differ most, fall away.
 */

/** `map[i]` is the index of the UTF-16 unit in the source from which unit `i` of `text` came; it never decreases. */
export interface NormalisedText {
  text: string
  map: number[]
}

const KEPT = /[\p{L}\p{N}]/u
const MARK = /\p{M}/u
const seen = new Map<number, string>()

/** What one code point beyond ASCII leaves: 'ﬁ' -> 'fi', 'É' -> 'e', '²' -> '2', '—' -> ''. */
function fold(codePoint: number): string {
  const known = seen.get(codePoint)
  if (known !== undefined) return known
  // Up and down again is the nearest thing to case folding: 'ß' -> 'ss', 'ς' -> 'σ'.
  const lower = String.fromCodePoint(codePoint).normalize('NFKD').toUpperCase().toLowerCase()
  const folded = [...lower].filter((c) => KEPT.test(c)).join('')
  seen.set(codePoint, folded)
  return folded
}

/** Letters and digits of `text` (NFKD, lower case, marks dropped) with the way back to the source. Linear. */
export function normaliseWithMap(text: string): NormalisedText {
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

/** Where in the source the character that starts at `at` ends, marks that belong to it included. */
export function endOfCharacter(source: string, at: number): number {
  let end = at + (source.codePointAt(at)! > 0xffff ? 2 : 1)
  while (end < source.length && MARK.test(source[end]!)) end++
  return end
}

function fromUnits(units: number[]): string {
  let text = ''
  // A call takes a limited number of arguments.
  for (let at = 0; at < units.length; at += 8192) text += String.fromCharCode(...units.slice(at, at + 8192))
  return text
}
