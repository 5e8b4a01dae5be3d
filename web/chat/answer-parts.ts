import type { AnswerStatement, ChatSource } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { pageRanges, pagesIn } from '#shared/passages/page-ranges.ts'

/** A part of a streamed answer: text, or the number of a page that the text before it cites. */
export type StreamedPart = { kind: 'text'; text: string } | { kind: 'page'; page: number }

const MARKER = /\s*\[pp?\.\s*(\d+(?:\s*[,;–-]\s*\d+)*)\]/gi
/** The beginning of a citation marker such as `[p. 4]` at the end of a streamed text. */
const HALF_MARKER = /\s*\[(?:p(?:p?\.?[\d\s,;–-]*)?)?$/i

/** Splits streamed text at citation markers such as `[p. 4]`. Omits an unfinished marker at the end of the text. */
export function streamedParts(text: string): StreamedPart[] {
  const parts: StreamedPart[] = []
  const whole = text.replace(HALF_MARKER, '')
  let last = 0
  for (const marker of whole.matchAll(MARKER)) {
    if (marker.index > last) parts.push({ kind: 'text', text: whole.slice(last, marker.index) })
    for (const page of pageRanges(marker[1]!).flatMap(pagesIn)) parts.push({ kind: 'page', page })
    last = marker.index + marker[0].length
  }
  if (last < whole.length) parts.push({ kind: 'text', text: whole.slice(last) })
  return parts
}

/**
 * Groups the statements of a finished answer into paragraphs. A statement starts a new paragraph if the text of the answer has
 * a line break between the previous statement and this one.
 */
export function paragraphs(answer: string, statements: readonly AnswerStatement[]): AnswerStatement[][] {
  const groups: AnswerStatement[][] = []
  let end = 0
  for (const statement of statements) {
    const at = answer.indexOf(statement.text, end)
    const isNew = groups.length === 0 || (at > 0 && answer.slice(end, at).includes('\n'))
    if (isNew) groups.push([statement])
    else groups.at(-1)!.push(statement)
    if (at >= 0) end = at + statement.text.length
  }
  return groups
}

/**
 * Returns the passage to show in the reader for a source of an answer: the source's best matching sentence, or the whole source
 * if no sentence is stored for it.
 */
export function passageOfSource(source: ChatSource): FoundPassage {
  const from = Math.max(0, source.start - source.page_offset)
  const sentence = source.content.slice(from, Math.max(from, source.end - source.page_offset)).trim()
  const { start, end } = sentence
    ? source
    : { start: source.page_offset, end: source.page_offset + source.content.length }
  return { quote: sentence || source.content.trim(), page: source.page_number, start, end, match: 'exact', score: 1 }
}

/** Returns the passage for a page marker of a streamed answer: the best source on that page, else the page itself. */
export function passageOnPage(page: number, sources: readonly ChatSource[]): FoundPassage {
  const source = sources.find((one) => one.page_number === page)
  return source ? passageOfSource(source) : { quote: null, page, start: null, end: null, match: 'none', score: 0 }
}

/**
 * Returns true if passages `a` and `b` are on the same page and overlap by at least half of the shorter one. If one of them has
 * no offsets, it compares their quotes: it returns true if both quotes are equal. Returns false if `b` is null, or if `a` has
 * no page.
 */
export function isSamePlace(a: FoundPassage, b: FoundPassage | null): boolean {
  if (!b || a.page === null || a.page !== b.page) return false
  if (a.start === null || b.start === null || a.end === null || b.end === null) return a.quote === b.quote
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared > 0 && shared * 2 >= Math.min(a.end - a.start, b.end - b.start)
}
