import type { DocumentDetail } from '#shared/contract/documents.ts'

/**
 * Returns true if an analysis of the paper reads the title and the abstract instead of a text. This is the case if the paper
 * has an abstract, but no PDF and no text.
 */
export const readsAbstract = ({
  source_url,
  extracted_text,
  abstract,
}: Pick<DocumentDetail, 'source_url' | 'extracted_text' | 'abstract'>) =>
  source_url === null && !extracted_text && Boolean(abstract?.trim())
