import type { Vocabulary } from './weights.ts'

/** What the vocabulary writes for a space. */
const SPACE = '\u2581'
/** The first entries mean no text; the very first stands for what is in none of the others. */
const RESERVED = 6
const UNKNOWN = 0

/** Cuts a text into the pieces of the vocabulary that are most likely together, as numbers. */
export type WordPieces = (text: string) => number[]

/** The model's own way to read a text (SentencePiece, unigram). */
export function wordPieces(vocabulary: Vocabulary): WordPieces {
  const pieces = new Map(
    vocabulary.slice(RESERVED).map(([piece, score], index) => [piece, { index: index + RESERVED, score }]),
  )
  const longest = Math.max(...Array.from(pieces.keys(), (piece) => [...piece].length))
  return (text) => {
    const normal = text.normalize('NFKC')
    const letters = [...(normal ? SPACE + normal.replaceAll(' ', SPACE) : '')]
    // The best way to read the text up to each letter: its score, and the piece it ends with.
    const scores = new Float64Array(letters.length + 1)
    const ends = Array.from({ length: letters.length + 1 }, () => ({ index: UNKNOWN, length: 1 }))
    for (let from = 0; from < letters.length; from += 1) {
      let piece = ''
      let isKnown = false
      for (let to = from + 1; to <= Math.min(letters.length, from + longest); to += 1) {
        piece += letters[to - 1]!
        const known = pieces.get(piece)
        if (!known) continue
        isKnown = true
        offer(from, to, known.index, known.score)
      }
      if (!isKnown) offer(from, from + 1, UNKNOWN, 0)
    }
    return read(ends)

    function offer(from: number, to: number, index: number, score: number) {
      const whole = scores[from]! + score
      if (scores[to] !== 0 && whole < scores[to]!) return
      scores[to] = whole
      ends[to] = { index, length: to - from }
    }
  }
}

/** From the end to the beginning; several unknown ones in a row are one. */
function read(ends: readonly { index: number; length: number }[]): number[] {
  const found: number[] = []
  for (let at = ends.length - 1; at > 0;) {
    const { index, length } = ends[at]!
    if (index !== UNKNOWN || found.at(-1) !== UNKNOWN) found.push(index)
    at -= length
  }
  return found.reverse()
}
