import { asActor, asActorWithDeleted, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { deleteJobs } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject } from '#server/projects/index.ts'
import { NO_VALID_DOCUMENTS, type BulkCount, type DocumentsDeleted } from '#shared/contract/bulk-documents.ts'
import { authorize } from '#server/members/index.ts'
import { hideDocumentRows, listIdsOf, listRights, transactionTime } from './queries.ts'
import { publishChanges } from './rows.ts'

/** Soft-deletes one document: it can be restored from the trash for thirty days, with its text, analysis and vectors. */
export async function deleteDocument(actor: Actor, id: string): Promise<void> {
  if ((await hideDocuments(actor, async () => [id])).length === 0) throw notFound('Document')
}

/**
 * Soft-deletes the documents with these ids in one transaction. Skips ids that do not exist, that the caller may not read or
 * that are already deleted, and returns them as `missing`. Throws 'not_found' if it would skip all.
 */
export async function deleteDocuments(actor: Actor, ids: readonly string[]): Promise<BulkCount> {
  const deleted = new Set(await hideDocuments(actor, async () => ids))
  if (deleted.size === 0) throw new AppError('not_found', NO_VALID_DOCUMENTS)
  return { count: deleted.size, missing: [...new Set(ids)].filter((id) => !deleted.has(id)) }
}

/**
 * Soft-deletes many documents and returns their number. Each transaction calls `choose`, which returns the ids of at most
 * `limit` (1,000) documents, and deletes these documents. Ends when a transaction deletes none.
 */
export async function deleteSomeDocuments(
  actor: Actor,
  choose: (tx: Tx, limit: number) => Promise<readonly string[]>,
): Promise<number> {
  for (let count = 0; ;) {
    const deleted = await hideDocuments(actor, (tx) => choose(tx, AT_ONCE))
    if (deleted.length === 0) return count
    count += deleted.length
  }
}

/** Maximum number of documents that one transaction deletes, because the database cancels a statement after a minute. */
const AT_ONCE = 1000

/**
 * Soft-deletes all documents of a project, in transactions of AT_ONCE documents. Returns their number and a time before the
 * first transaction.
 */
export async function deleteDocumentsOf(actor: Actor, projectId: string): Promise<DocumentsDeleted> {
  const deleted_at = await asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'edit')
    return transactionTime(tx)
  })
  return { count: await deleteSomeDocuments(actor, (tx, limit) => listIdsOf(tx, projectId, limit)), deleted_at }
}

/** Soft-deletes the documents that `choose` returns, deletes their jobs, and returns the ids of the deleted documents. */
async function hideDocuments(actor: Actor, choose: (tx: Tx) => Promise<readonly string[]>): Promise<string[]> {
  return asActorWithDeleted(actor, async (tx) => {
    const ids = await choose(tx)
    for (const row of await listRights(tx, ids)) authorize(row, 'edit', 'Document')
    // Before the documents are locked, in the lock order of jobs.
    await deleteJobs(tx, { documentIds: ids })
    return hideWithJobs(tx, actor, ids)
  })
}

/**
 * Soft-deletes documents and publishes events about them. Returns the ids of the documents that were not deleted before. The
 * caller must delete the jobs of the documents before, with `deleteJobs`; this function then deletes the jobs that other
 * requests have inserted since. `tx` must come from `asActorWithDeleted`.
 */
export async function hideWithJobs(tx: Tx, actor: Actor, ids: readonly string[]): Promise<string[]> {
  const deleted = await hideDocumentRows(tx, ids)
  await deleteJobs(tx, { documentIds: ids })
  await publishChanges(tx, actor, deleted, 'deleted')
  return deleted.map(({ id }) => id)
}
