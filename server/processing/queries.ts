import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import type { TextWarning } from '#shared/contract/documents.ts'

/** The columns that a run needs: names and completed steps, without the long texts. */
export interface ProcessedDocument {
  id: string
  project_id: string | null
  title: string | null
  filename: string
  has_text: boolean
  extraction_method: string | null
  text_warning: TextWarning | null
  analyzed_at: string | null
  vectorized_at: string | null
}

/** Returns those of the documents that exist and belong to the caller. */
export function findProcessedDocuments(tx: Tx, ids: readonly string[]): Promise<ProcessedDocument[]> {
  return tx
    .select({
      id: documents.id,
      project_id: documents.project_id,
      title: documents.title,
      filename: documents.filename,
      has_text: sql<boolean>`${documents.extracted_text} is not null`,
      extraction_method: documents.extraction_method,
      text_warning: documents.text_warning,
      analyzed_at: documents.analyzed_at,
      vectorized_at: documents.vectorized_at,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
}
