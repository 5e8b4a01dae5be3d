import type { DocumentDetail } from '#shared/contract/documents.ts'

/** Returns true if analyses read the title and the abstract, because the paper has no PDF. */
export const readsAbstract = ({
  source_url,
  extracted_text,
  abstract,
}: Pick<DocumentDetail, 'source_url' | 'extracted_text' | 'abstract'>) =>
  source_url === null && !extracted_text && Boolean(abstract?.trim())
