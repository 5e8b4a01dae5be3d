import { desc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documentEdits } from '#server/db/tables/document-edits.ts'
import { runs } from '#server/db/tables/runs.ts'

/** Returns the newest edits of values that an analysis filled, with the run of the former value. */
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
