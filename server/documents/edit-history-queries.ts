import { desc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documentEdits } from '#server/db/tables/document-edits.ts'
import { runs } from '#server/db/tables/runs.ts'

/**
 * Returns the latest edits of fields that an analysis had filled, each with the run (the stored analysis) of the former value.
 */
export const listEditRows = (tx: Tx, documentId: string, limit: number) =>
  tx
    .select({
      field: documentEdits.field,
      former: documentEdits.former,
      edited_by: documentEdits.edited_by,
      edited_at: documentEdits.edited_at,
      run_id: runs.id,
      run_number: runs.number,
    })
    .from(documentEdits)
    .leftJoin(runs, eq(runs.id, documentEdits.run_id))
    .where(eq(documentEdits.document_id, documentId))
    .orderBy(desc(documentEdits.edited_at), documentEdits.id)
    .limit(limit)
