import type { Passage, PassageField } from '#shared/contract/passages.ts'

/**
 * A part of a text up to the end of a statement, and the passages of this statement. The part after the last statement has no
 * passages.
 */
export interface Stretch {
  text: string
  passages: Passage[]
}

/**
 * Splits a text after each statement that has a passage, so that a page link can follow the statement. Searches the statements
 * in order and ignores differences in white space. Ignores statements that the text does not contain.
 */
export function splitAtPassages(text: string, passages: readonly Passage[]): Stretch[] {
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

/**
 * Returns the passages of a field. With `item`, only the passages of one item of the field, such as an insight (index from 0).
 */
export const passagesOf = (passages: readonly Passage[], field: PassageField, item?: number) =>
  passages.filter((one) => one.field === field && (item === undefined || one.item === item))

function locate(text: string, statement: string, from: number): { end: number } | null {
  const words = statement.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'g')
  pattern.lastIndex = from
  if (!pattern.exec(text)) return null
  // Includes a closing quotation mark, so that it does not follow the page link alone.
  const closing = /^[”’»"')\]]+(?![\p{L}\p{N}])/u.exec(text.slice(pattern.lastIndex))?.[0] ?? ''
  return { end: pattern.lastIndex + closing.length }
}
