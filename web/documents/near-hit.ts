import type { SnippetPart } from '#shared/contract/documents.ts'

/** Number of characters that fit on the first line of a phone. */
const LEAD_MAX = 40

/**
 * Shortens the text before the first match of a search snippet to '…' and at most 40 characters, so that the match is in the
 * two lines that a row of the list shows.
 */
export function nearHit(parts: readonly SnippetPart[]): readonly SnippetPart[] {
  const [lead, ...rest] = parts
  if (!lead || lead.hit || lead.text.length <= LEAD_MAX) return parts
  return [{ text: `…${lead.text.slice(-LEAD_MAX).replace(/^\S*\s/, '')}`, hit: false }, ...rest]
}
