import type { Line } from './page-lines.ts'

/**
 * Decides how two consecutive lines of Chinese, Japanese or Korean text are joined. Returns true if no space belongs between
 * them. `before` is the text up to the end of the first line, `endsInSpace` is true if the PDF has a space there, and `next` is
 * the second line.
 */
export type JoinsWithoutSpace = (before: string, endsInSpace: boolean, next: string) => boolean

const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3001-\u301f\uff01-\uff5e]`
const UNSPACED_END = new RegExp(`${UNSPACED}$`, 'u')
const UNSPACED_START = new RegExp(`^${UNSPACED}`, 'u')
const HANGUL_WORD = /\p{sc=Hangul}+/gu
const HANGUL_END = /\p{sc=Hangul}+$/u
const HANGUL_START = /^\p{sc=Hangul}+/u
/** Matches Korean particles and endings, which follow a word without a space. */
const PARTICLE =
  /^(?:은|는|이|가|을|를|의|에|에서|에게|으로|로|와|과|도|만|까지|부터|보다|처럼|하는|하고|하여|하였다|한다|했다|되는|되어|되었다|된다|이다|였다|이며|있다|들은|들의|들이|들을)$/u
/**
 * If more than this share of the Korean lines of a document ends in a space, a line without a space at its end ends inside a
 * word.
 */
const SPACED_SHARE = 0.05

/**
 * Learns from all lines of a document where two lines of Chinese, Japanese or Korean text are joined without a space. Chinese
 * and Japanese lines are always joined without a space. A Korean line can end inside a word. If more than 5 % of the Korean
 * lines end in a space, a line without one ends inside a word. Otherwise the text before and the text after the line break
 * belong to one word if this word occurs within a line, if the text after the break is a particle, or if neither occurs as a
 * word.
 */
export function learnEastAsianLines(lines: readonly Line[]): JoinsWithoutSpace {
  const korean = lines.filter((line) => HANGUL_END.test(line.text))
  const hasSpaces = korean.filter((line) => line.endsInSpace).length > SPACED_SHARE * korean.length
  const words = new Set(korean.flatMap((line) => line.text.replace(HANGUL_END, '').match(HANGUL_WORD) ?? []))
  return (before, endsInSpace, next) => {
    if (UNSPACED_END.test(before.slice(-2)) && UNSPACED_START.test(next)) return true
    const head = HANGUL_END.exec(before.slice(-40))?.[0]
    const tail = HANGUL_START.exec(next)?.[0]
    if (!head || !tail) return false
    if (hasSpaces) return !endsInSpace
    return words.has(head + tail) || PARTICLE.test(tail) || (!words.has(head) && !words.has(tail))
  }
}
