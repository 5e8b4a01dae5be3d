import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { importRecords, imports } from '#server/db/tables/imports.ts'

type NewRecord = Pick<typeof importRecords.$inferInsert, 'raw' | 'reference' | 'outcome' | 'document_id' | 'reason'>

/** Appends records to an import and counts them. Returns false for an import that is undone, which gets no records. */
export async function addRecords(tx: Tx, importId: string, records: readonly NewRecord[]): Promise<boolean> {
  if (records.length === 0) return true
  const count = (outcome: NewRecord['outcome']) => records.filter((record) => record.outcome === outcome).length
  const [counted] = await tx
    .update(imports)
    .set({
      read_count: sql`${imports.read_count} + ${records.length}`,
      created_count: sql`${imports.created_count} + ${count('created')}`,
      joined_count: sql`${imports.joined_count} + ${count('joined')}`,
      skipped_count: sql`${imports.skipped_count} + ${count('skipped')}`,
      failed_count: sql`${imports.failed_count} + ${count('failed')}`,
    })
    .where(and(eq(imports.id, importId), isNull(imports.undone_at)))
    .returning({ project_id: imports.project_id, read_count: imports.read_count })
  if (!counted) return false
  const { project_id, read_count } = counted
  const before = read_count - records.length
  await tx
    .insert(importRecords)
    .values(records.map((record, at) => ({ ...record, import_id: importId, project_id, position: before + at + 1 })))
  return true
}
