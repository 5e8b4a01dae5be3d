import type { Passage, PassageField } from '#shared/passages.ts'

/** A stretch of a text and the passages that its end rests on. */
export interface Stretch {
  text: string
  passages: Passage[]
}

/**
 * Cuts a text after each of its statements, so that the page link can stand right behind the words. Statements are
 * looked up in their order and white space does not count; those that a person has since rewritten out of the text are
 * left aside, for they no longer say what the text says.
 */
export function stretches(text: string, passages: readonly Passage[]): Stretch[] {
  const found: Stretch[] = []
  let from = 0
  for (const passage of passages.toSorted((a, b) => a.item - b.item)) {
    const at = locate(text, passage.statement, from)
    if (!at) continue
    found.push({ text: text.slice(from, at.end), passages: [passage] })
    from = at.end
  }
  const rest = text.slice(from)
  if (rest.trim() || found.length === 0) found.push({ text: rest, passages: [] })
  return found
}

/** The passages of one field, or of one item of it. */
export const passagesOf = (passages: readonly Passage[], field: PassageField, item?: number) =>
  passages.filter((one) => one.field === field && (item === undefined || one.item === item))

function locate(text: string, statement: string, from: number): { end: number } | null {
  const words = statement.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'g')
  pattern.lastIndex = from
  if (!pattern.exec(text)) return null
  // A quotation that ends with the statement belongs to it, so that nothing stands behind the page link alone.
  const closing = /^[”’»"')\]]+(?![\p{L}\p{N}])/u.exec(text.slice(pattern.lastIndex))?.[0] ?? ''
  return { end: pattern.lastIndex + closing.length }
}
