import { splitPages, type PageText } from '#shared/pdf-text/page-text.ts'
import { splitSentences, type Span } from '#shared/passages/sentences.ts'
import { bordersIn, findReferences, isInReferences } from './references.ts'

export const CHUNK_SIZE = 1000

/** A part of one page: `pageText.slice(pageOffset, pageOffset + content.length) === content`. */
export interface TextChunk {
  content: string
  pageNumber: number
  pageOffset: number
  /** True for a chunk in a list of references, which is excluded from answers. */
  isReference: boolean
}

/**
 * Splits a stored text (with `[Page N]` markers) into chunks of at most `size` UTF-16 units. A chunk is on one page and ends at
 * the end of a sentence if possible, else between words. Only a word longer than `size` is split, never within a character. The
 * chunks of a page are about equally long. No chunk crosses the beginning or the end of a list of references. Text without
 * letters or digits gives no chunk.
 */
export function chunkText(storedText: string, size = CHUNK_SIZE): TextChunk[] {
  const pages = splitPages(storedText)
  const references = findReferences(pages)
  return pages.flatMap((page) => chunkPage(page, references, Math.max(1, Math.floor(size))))
}

function chunkPage({ page, text, start }: PageText, references: readonly Span[], size: number): TextChunk[] {
  const spans = splitSentences(text)
    .flatMap((span) => cutAtBorders(text, span, bordersIn(references, start + span.start, start + span.end)))
    .flatMap((span) => cutToSize(text, span, size))
  const isReference = (span: Span) => isInReferences(references, start + span.start)
  return runs(spans, isReference)
    .flatMap((run) => pack(run, size))
    .map((span) => ({
      content: text.slice(span.start, span.end),
      pageNumber: page,
      pageOffset: span.start,
      isReference: isReference(span),
    }))
    .filter((chunk) => /[\p{L}\p{N}]/u.test(chunk.content))
}

/** Groups adjacent spans for which `kind` returns the same value. */
function runs(spans: readonly Span[], kind: (span: Span) => boolean): Span[][] {
  const grouped: Span[][] = []
  for (const span of spans) {
    const run = grouped.at(-1)
    if (run && kind(run[0]!) === kind(span)) run.push(span)
    else grouped.push([span])
  }
  return grouped
}

/** Divides a span of a text at the given distances from its start. */
function cutAtBorders(text: string, span: Span, borders: readonly number[]): Span[] {
  const cuts = [span.start, ...borders.map((border) => span.start + border), span.end]
  return cuts.slice(1).map((end, index) => {
    const piece = text.slice(cuts[index], end)
    const start = cuts[index]! + piece.length - piece.trimStart().length
    return { start, end: start + piece.trim().length }
  })
}

/**
 * Joins adjacent spans into chunks of at most `size` characters. The chunks have about the same length, so that no page ends
 * with a tiny chunk.
 */
function pack(spans: readonly Span[], size: number): Span[] {
  const packed: Span[] = []
  let current: Span | null = null
  let aim = size
  for (const [index, span] of spans.entries()) {
    if (current && span.end - current.start <= size) {
      const over = span.end - current.start - aim
      const under = aim - (current.end - current.start)
      // Exceeds the target length only when the chunk is then closer to it than without the span.
      if (over <= 0 || over < under) {
        current.end = span.end
        continue
      }
    }
    const rest: number = spans.at(-1)!.end - spans[index]!.start
    aim = Math.ceil(rest / Math.ceil(rest / size))
    current = { ...span }
    packed.push(current)
  }
  return packed
}

/** Splits a sentence that is longer than `size` characters, between words. */
function cutToSize(text: string, span: Span, size: number): Span[] {
  const pieces: Span[] = []
  let { start } = span
  while (span.end - start > size) {
    const end = start + cutAt(text.slice(start, start + size + 1), size)
    pieces.push({ start, end })
    start = end + /^\s*/.exec(text.slice(end, span.end))![0].length
  }
  if (start < span.end) pieces.push({ start, end: span.end })
  return pieces
}

/**
 * Returns the offset at which to split `window`, a text of `size` + 1 characters: before its last white space, or at `size` if
 * one word fills the window.
 */
function cutAt(window: string, size: number): number {
  const space = window.search(/(?<!\s)\s+\S*$/)
  if (space > 0) return space
  // Not within a surrogate pair; a pair wider than the size stays whole.
  const splitsPair = /[\uD800-\uDBFF]/.test(window[size - 1]!) && /[\uDC00-\uDFFF]/.test(window[size] ?? '')
  return splitsPair ? (size > 1 ? size - 1 : 2) : size
}
