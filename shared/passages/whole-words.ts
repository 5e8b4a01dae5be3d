/** Matches characters of scripts without spaces between words. Every position beside such a character is a word boundary. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD = /[\p{L}\p{N}]/u

/** Returns whether a place (UTF-16 offsets, `end` exclusive) begins and ends at word boundaries. */
export function standsAlone(text: string, { start, end }: { start: number; end: number }): boolean {
  const isEdge = (outside: string, inside: string) =>
    !WORD.test(outside) || !WORD.test(inside) || UNSPACED.test(outside) || UNSPACED.test(inside)
  return (
    (start === 0 || isEdge(text[start - 1]!, text[start]!)) &&
    (end >= text.length || isEdge(text[end]!, text[end - 1]!))
  )
}
