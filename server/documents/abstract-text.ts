import type { StoredDocument } from './queries.ts'

/**
 * Returns the title and the abstract of a paper as one text. Returns null if the paper has a PDF or a text, or has no abstract.
 */
export function abstractText({
  has_text,
  source_url,
  title,
  abstract,
}: Pick<StoredDocument, 'has_text' | 'source_url' | 'title' | 'abstract'>): string | null {
  if (has_text || source_url || !abstract?.trim()) return null
  return [title?.trim(), abstract.trim()].filter(Boolean).join('\n\n')
}
