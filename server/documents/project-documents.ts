import { asActor, type Tx } from '#server/db/client.ts'
import { publish } from '#server/events/events.ts'
import { recordPapers } from '#server/imports/index.ts'
import { lockJobsOf } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject } from '#server/projects/index.ts'
import { type DocumentsMove, type DocumentsMoved, MOVE_AT_ONCE } from '#shared/contract/bulk-documents.ts'
import { createTagsOf } from './create-tags-of.ts'
import { listIdsOf, moveDocumentRows } from './queries.ts'
import { publishChanges, refuseDeletedProject } from './rows.ts'

/**
 * Moves all documents of a project to another project (null: no project), in transactions of MOVE_AT_ONCE documents. With
 * `limit`, moves at most that many documents in one transaction. After an error, the remaining documents are still in the first
 * project; a second call moves them.
 */
export async function moveDocuments(actor: Actor, { limit, ...move }: DocumentsMove): Promise<DocumentsMoved> {
  for (let count = 0; ;) {
    const { chosen, moved } = await moveSome(actor, move, {
      isFirst: limit === undefined && count === 0,
      limit: limit ?? MOVE_AT_ONCE,
    })
    count += moved
    if (limit !== undefined) return { count, has_more: chosen === limit }
    if (chosen < MOVE_AT_ONCE) return { count, has_more: false }
  }
}

/**
 * Moves up to `limit` documents in one transaction, after their tags exist in the other project. Returns how many were chosen
 * and how many were moved. With `isFirst`, publishes an event for each document; otherwise one event for all, which is enough
 * to reload lists.
 */
async function moveSome(
  actor: Actor,
  { from_project_id: from, project_id: to }: Omit<DocumentsMove, 'limit'>,
  { isFirst, limit }: { isFirst: boolean; limit: number },
) {
  const places = [from, to].filter((id) => id !== null)
  const check = async (tx: Tx) => {
    for (const id of places) await checkProject(tx, id, 'edit')
  }
  const chosen = await asActor(actor, async (tx) => {
    await check(tx)
    return listIdsOf(tx, from, limit)
  })
  await createTagsOf(actor, chosen, to)
  return asActor(actor, async (tx) => {
    await check(tx)
    await lockJobsOf(tx, { documentIds: chosen })
    const ids = await moveDocumentRows(tx, { ids: chosen, from, to, userId: actor.userId })
    await recordPapers(tx, actor.userId, 'upload', { ids, projectId: to })
    const moved = ids.map((id) => ({ id, project_id: to }))
    // One event is enough for pages to read their lists again.
    await publishChanges(tx, actor, isFirst ? moved : moved.slice(0, 1), 'updated')
    for (const id of ids.length > 0 ? places : [])
      await publish(tx, { projectId: id }, { event: 'project', data: { id, change: 'updated' } })
    return { chosen: chosen.length, moved: ids.length }
  }).catch(refuseDeletedProject)
}
