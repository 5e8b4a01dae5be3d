import { returnAnswers } from '#server/conversations/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor, asActorWithDeleted } from '#server/db/client.ts'
import {
  changeJoined,
  documentOrThrow,
  lockDocuments,
  removeTags,
  vectorizeAfterEdit,
} from '#server/documents/index.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { returnRecords } from '#server/imports/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { authorize, listNames } from '#server/members/index.ts'
import { returnRecommendations } from '#server/recommendations/index.ts'
import { bringDocumentBack } from '#server/trash/index.ts'
import { returnItems } from '#server/zotero/index.ts'
import type { JoinedPaper } from '#shared/contract/duplicates.ts'
import { publishDuplicates } from './check-project.ts'
import { endJoin, findJoin, listJoins, lockJoin, lockJoinsOf, storeUndo } from './join-queries.ts'
import { planUndo, withoutUndone } from './plan-join.ts'

const TOO_LATE = 'This join can no longer be undone: the joined paper was deleted permanently.'
const KEPT_IS_DELETED =
  'The paper that the others were joined into is in the trash. Restore it first, or first undo the join that moved it there.'

/** Returns the duplicates that were joined into a document, newest join first. Throws 'not_found'. */
export const listJoinedPapers = (actor: Actor, documentId: string): Promise<JoinedPaper[]> =>
  asActor(actor, async (tx) => {
    await documentOrThrow(tx, documentId, 'read')
    const rows = await listJoins(tx, documentId)
    const members = rows.flatMap(({ joined_by }) => joined_by ?? [])
    const names = members.length > 0 ? await withOwnerRole(tx, () => listNames(tx, members)) : new Map<string, string>()
    return rows.map(({ joined_by, ...row }) => ({ ...row, joined_by: names.get(joined_by ?? '') ?? null }))
  })

/**
 * Undoes a join (a merge of duplicate papers) within thirty days (FMT-46). Restores the joined paper from the trash with its
 * import records, chats and evidence. Resets the kept paper to its values before the join, except values that were changed
 * after the join. Has no effect on a join that is already undone. Throws 'not_found', 'role' or 'conflict'.
 */
export async function undoJoin(actor: Actor, id: string): Promise<{ document_id: string }> {
  let changed: string | undefined
  const undone = await asActorWithDeleted(actor, async (tx) => {
    const known = authorize(await findJoin(tx, id), 'edit', 'Joined paper')
    const { kept_id, joined_id } = known
    if (joined_id === null) throw new AppError('conflict', TOO_LATE)
    if (known.undone_at !== null) return { document_id: joined_id }
    if (!known.can_undo) throw new AppError('conflict', TOO_LATE)
    const kept = (await lockDocuments(tx, [kept_id, joined_id])).get(kept_id)!
    const { undone_at, undo } = await lockJoin(tx, id)
    if (undone_at !== null) return { document_id: joined_id }
    if (kept.deleted_at !== null) throw new AppError('conflict', KEPT_IS_DELETED)
    const others = (await lockJoinsOf(tx, kept_id)).filter((join) => join.id !== id)
    const undos = others.map((join) => join.undo)
    await changeJoined(tx, kept, planUndo(kept, undo, undos))
    changed = kept_id
    const tagsOfOthers = new Set(undos.flatMap(({ tag_ids }) => tag_ids))
    await removeTags(
      tx,
      kept_id,
      undo.tag_ids.filter((tag) => !tagsOfOthers.has(tag)),
    )
    await returnRecords(tx, undo.record_ids, { from: kept_id, to: joined_id })
    await returnRecommendations(tx, undo.recommendation_ids, { from: kept_id, to: joined_id })
    await returnItems(tx, undo.zotero_item_ids ?? [], { from: kept_id, to: joined_id })
    if (undo.answers) await returnAnswers(tx, undo.answers, { from: kept_id, to: joined_id })
    for (const later of others.filter(({ joined_at }) => joined_at > known.joined_at))
      await storeUndo(tx, later.id, withoutUndone(later.undo, undo))
    await endJoin(tx, id)
    await bringDocumentBack(tx, actor, joined_id)
    if (kept.project_id) await publishDuplicates(tx, kept.project_id, actor.userId)
    return { document_id: joined_id }
  })
  if (changed) await vectorizeAfterEdit(actor, changed)
  return undone
}
