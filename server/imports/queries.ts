import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { importRecords, imports } from '#server/db/tables/imports.ts'
import type { StoredReference } from '#shared/references/columns.ts'

export type ImportKind = (typeof imports.$inferSelect)['kind']

/**
 * Records a paper that a user adds to a project outside a file: the papers of one user, kind and day are one import. Call
 * it after the insert of the document, whose lock on the citation keys of the project serialises concurrent calls.
 */
export async function recordPaper(
  tx: Tx,
  userId: string,
  kind: ImportKind,
  document: { id: string; project_id: string | null; reference: StoredReference },
): Promise<void> {
  const { id, project_id, reference } = document
  if (project_id === null) return
  const today = and(
    eq(imports.project_id, project_id),
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
  const [own] = open
    ? [open]
    : await tx.insert(imports).values({ project_id, created_by: userId, kind }).returning({ id: imports.id })
  const [counted] = await tx
    .update(imports)
    .set({ read_count: sql`${imports.read_count} + 1`, created_count: sql`${imports.created_count} + 1` })
    .where(eq(imports.id, own!.id))
    .returning({ position: imports.read_count })
  await tx.insert(importRecords).values({
    import_id: own!.id,
    project_id,
    position: counted!.position,
    reference,
    outcome: 'created',
    document_id: id,
  })
}
