import type { SnippetPart } from '#shared/contract/documents.ts'

/** Number of characters that fit on the first line of a phone. */
const LEAD_MAX = 40

/**
 * Shortens the text before the first match to its last whole words within 40 characters, after '…': a row shows two lines, which
 * must contain the match.
 */
export function nearHit(parts: readonly SnippetPart[]): readonly SnippetPart[] {
  const [lead, ...rest] = parts
  if (!lead || lead.hit || lead.text.length <= LEAD_MAX) return parts
  return [{ text: `…${lead.text.slice(-LEAD_MAX).replace(/^\S*\s/, '')}`, hit: false }, ...rest]
}
