import type { StoredDocument } from './queries.ts'

type Paper = Pick<StoredDocument, 'has_text' | 'source_url' | 'title' | 'abstract'>

/**
 * Returns the title and the abstract of a paper without a text as one text, in which quotes of the paper are searched. Returns
 * null if the paper has a text, or has no abstract.
 */
export function searchedAbstract({ has_text, title, abstract }: Omit<Paper, 'source_url'>): string | null {
  if (has_text || !abstract?.trim()) return null
  return [title?.trim(), abstract.trim()].filter(Boolean).join('\n\n')
}

/**
 * Returns the title and the abstract of a paper as one text, which an analysis reads. Returns null if the paper has a PDF or a
 * text, or has no abstract: an analysis of a PDF needs its extracted text.
 */
export const abstractText = ({ source_url, ...paper }: Paper): string | null =>
  source_url ? null : searchedAbstract(paper)
