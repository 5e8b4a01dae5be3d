import type { SnippetPart } from '#shared/documents.ts'

/** So much fits on the first line of a phone. */
const LEAD_MAX = 40

/** The same place with less before its first hit, cut between words: a row shows two lines, and the hit must be in them. */
export function nearHit(parts: readonly SnippetPart[]): readonly SnippetPart[] {
  const [lead, ...rest] = parts
  if (!lead || lead.hit || lead.text.length <= LEAD_MAX) return parts
  return [{ text: `…${lead.text.slice(-LEAD_MAX).replace(/^\S*\s/, '')}`, hit: false }, ...rest]
}
