import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { importRecords, imports } from '#server/db/tables/imports.ts'
import type { ImportKind } from '#shared/contract/imports.ts'

export type StoredImport = typeof imports.$inferSelect

/**
 * Records how papers came into a project: adds an import record for each of the papers `ids` that a user has added otherwise
 * than from a file of references, or has moved into the project. All papers of one `kind` that a user adds in this way on one
 * day belong to one import. Call it after the documents are in the project. Does nothing if `projectId` is null.
 */
export async function recordPapers(
  tx: Tx,
  userId: string,
  kind: ImportKind,
  { ids, projectId }: { ids: readonly string[]; projectId: string | null },
): Promise<void> {
  if (projectId === null || ids.length === 0) return
  const today = and(
    eq(imports.project_id, projectId),
    eq(imports.created_by, userId),
    eq(imports.kind, kind),
    isNull(imports.undone_at),
    sql`${imports.created_at} >= date_trunc('day', now())`,
  )
  const [open] = await tx
    .select({ id: imports.id })
    .from(imports)
    .where(today)
    .orderBy(desc(imports.created_at))
    .limit(1)
    // An import that is undone meanwhile is not used.
    .for('update')
  const own = open ?? (await insertImport(tx, { project_id: projectId, created_by: userId, kind }))
  const count = ids.length
  // Locks the import, so that concurrent calls get different positions.
  const [counted] = await tx
    .update(imports)
    .set({ read_count: sql`${imports.read_count} + ${count}`, created_count: sql`${imports.created_count} + ${count}` })
    .where(eq(imports.id, own.id))
    .returning({ read_count: imports.read_count })
  await tx.execute(sql`
    insert into ${importRecords} (import_id, project_id, position, reference, outcome, document_id)
    select ${own.id}::uuid, ${projectId}::uuid, ${counted!.read_count - count} + row_number() over (order by d.created_at, d.id),
      d.reference, 'created', d.id
    from ${documents} d where d.id = any (${sql.param([...ids])}::uuid[])`)
}

/** Inserts an import without records. Row-level security requires the right to edit its project. */
export async function insertImport(tx: Tx, values: typeof imports.$inferInsert): Promise<StoredImport> {
  const [row] = await tx.insert(imports).values(values).returning()
  return row!
}

/** Returns an import that the caller may see, or undefined. */
export async function findImport(tx: Tx, id: string): Promise<StoredImport | undefined> {
  const [row] = await tx.select().from(imports).where(eq(imports.id, id))
  return row
}

/** Returns an import that the caller may change, and locks it until the transaction ends; undefined if there is none. */
export async function lockImport(tx: Tx, id: string): Promise<StoredImport | undefined> {
  const [row] = await tx.select().from(imports).where(eq(imports.id, id)).for('update')
  return row
}

/** Sets the given columns of an import. */
export async function updateImport(tx: Tx, id: string, values: Partial<StoredImport>): Promise<void> {
  await tx.update(imports).set(values).where(eq(imports.id, id))
}

const isActive = inArray(imports.state, ['waiting', 'running'])

/** Ends those imports in `ids` that are waiting or running: sets their state and their error. */
export async function endImports(
  tx: Tx,
  ids: readonly string[],
  end: { state: 'failed' | 'cancelled'; error: string | null },
): Promise<void> {
  await tx
    .update(imports)
    .set(end)
    .where(and(inArray(imports.id, [...ids]), isActive))
}

/**
 * Sets the state of all waiting and running imports of an account to 'cancelled'. Called when the account is deleted, because
 * this also deletes the jobs of the imports.
 */
export async function cancelImportsOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(imports)
    .set({ state: 'cancelled' })
    .where(and(eq(imports.created_by, userId), isActive))
}

/**
 * How many records of a batch (a part of an import that is stored in one transaction) had each outcome. 'joined': the record is
 * a duplicate of a paper of the project or of an earlier record of the import, and created no paper of its own. `within` is the
 * part of `joined` that duplicates earlier records of the same import.
 */
export interface RecordCounts {
  read: number
  created: number
  joined: number
  within: number
  skipped: number
  failed: number
}

/**
 * Inserts the records of a batch and adds their numbers by outcome, `counts`, to the totals of the import. `records` is the
 * JSON text of a list of objects with the columns of the table. An object can have `within`, the position of an earlier record
 * of the same import that it duplicates: the new record is then linked to the document of that record.
 */
export async function insertRecords(
  tx: Tx,
  { id, project_id }: Pick<StoredImport, 'id' | 'project_id'>,
  records: string,
  counts: RecordCounts,
): Promise<void> {
  await tx.execute(sql`
    insert into ${importRecords} (import_id, project_id, position, line, raw, reference, outcome, document_id, reason)
    select ${id}::uuid, ${project_id}::uuid, x.position, x.line, x.raw, x.reference, x.outcome,
      coalesce(x.document_id, w.document_id), x.reason
    from jsonb_to_recordset(${records}::jsonb)
      as x (position int, line int, raw text, reference jsonb, outcome text, document_id uuid, within int, reason text)
    left join ${importRecords} w on w.import_id = ${id}::uuid and w.position = x.within`)
  await tx
    .update(imports)
    .set({
      read_count: sql`${imports.read_count} + ${counts.read}`,
      created_count: sql`${imports.created_count} + ${counts.created}`,
      joined_count: sql`${imports.joined_count} + ${counts.joined}`,
      joined_within_count: sql`${imports.joined_within_count} + ${counts.within}`,
      skipped_count: sql`${imports.skipped_count} + ${counts.skipped}`,
      failed_count: sql`${imports.failed_count} + ${counts.failed}`,
    })
    .where(eq(imports.id, id))
}

/**
 * Assigns the import records of the paper `from` in a project to the paper `to`, when the papers are merged as duplicates.
 * Returns the ids of these records, which are never deleted (FND-12). Records that belong to another project (in which the
 * paper was earlier) do not change, because a record cannot have a paper of another project.
 */
export async function moveRecords(
  tx: Tx,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const rows = await tx
    .update(importRecords)
    .set({ document_id: to })
    .where(and(eq(importRecords.document_id, from), eq(importRecords.project_id, projectId)))
    .returning({ id: importRecords.id })
  return rows.map(({ id }) => id)
}

/** Undoes `moveRecords`: assigns those import records in `ids` that belong to the paper `from` to the paper `to`. */
export async function returnRecords(
  tx: Tx,
  ids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const own = and(inArray(importRecords.id, [...ids]), eq(importRecords.document_id, from))
  await tx.update(importRecords).set({ document_id: to }).where(own)
}
