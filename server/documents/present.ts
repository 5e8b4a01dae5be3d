import { embeddingModel } from '#server/ai/index.ts'
import { documentDetail, documentRow, type DocumentDetail, type DocumentRow } from '#shared/contract/documents.ts'
import { withColumns } from '#shared/references/columns.ts'
import { shortAuthorsOf } from '#shared/references/short-authors.ts'
import type { StoredDocument } from './queries.ts'

/** Returns a stored document in the form of the list in the API, without internal columns. */
export const presentRow = (row: StoredDocument): DocumentRow =>
  documentRow.parse({ ...row, authors_short: shortAuthorsOf(row.reference, row.authors) })

/** Returns a stored document and its text in the form in which the API returns one document. */
export const presentDocument = (row: StoredDocument, text: string | null): DocumentDetail =>
  documentDetail.parse({
    ...row,
    authors_short: shortAuthorsOf(row.reference, row.authors),
    reference: withColumns(row.reference, {}),
    extracted_text: text,
    can_undo_analysis: row.analysis_undo !== null,
    embedding_stale: isStale(row),
  })

/** Returns a stored document in the form in which the API returns one document, without its text, which can be long. */
export function withoutText(row: StoredDocument): Omit<DocumentDetail, 'extracted_text'> {
  const { extracted_text: _text, ...rest } = presentDocument(row, null)
  return rest
}

function isStale({ vectorized_at, embedding_model }: StoredDocument): boolean {
  const { model, hasVectors } = embeddingModel()
  return hasVectors && vectorized_at !== null && embedding_model !== model
}
