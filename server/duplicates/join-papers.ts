import { moveAnswers } from '#server/conversations/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActorWithDeleted, type Tx } from '#server/db/client.ts'
import {
  addTagsOf,
  changeJoined,
  documentOrThrow,
  hideWithJobs,
  lockAdditions,
  lockDocuments,
  type StoredDocument,
  vectorizeAfterEdit,
} from '#server/documents/index.ts'
import { moveRecords } from '#server/imports/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Authorized } from '#server/members/index.ts'
import { deleteJobs } from '#server/queue/queue.ts'
import { moveRecommendations } from '#server/recommendations/index.ts'
import { moveItems } from '#server/zotero/index.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import {
  BOTH_HAVE_FILES,
  FILE_STAYS,
  JOINED_MEANWHILE,
  type JoinInput,
  type JoinResult,
  NOT_SAME_PROJECT,
} from '#shared/contract/duplicates.ts'
import { publishDuplicates } from './check-project.ts'
import { insertJoin, lockJoinsOf } from './join-queries.ts'
import { paperToKeep, planJoin } from './plan-join.ts'

type Paper = Authorized<StoredDocument>

/**
 * Joins (merges) duplicate papers of a project. One paper is kept: it gets the chosen values, and the tags, keywords, import
 * records, items of Zotero, chats and evidence of all papers. The other papers are moved to the trash (FMT-45). Throws
 * 'refused' if several papers have a file and none is chosen, 'conflict' if a paper was joined or deleted in the meantime,
 * 'not_found' or 'role'.
 */
export async function joinPapers(actor: Actor, { keep_id, join_ids, fields }: JoinInput): Promise<JoinResult> {
  const ids = [...new Set([...(keep_id ? [keep_id] : []), ...join_ids])]
  const result = await asActorWithDeleted(actor, async (tx) => {
    const found: Paper[] = []
    for (const id of ids) found.push(await documentOrThrow(tx, id, 'edit'))
    if (found.length < 2) throw new AppError('refused', 'Choose at least two papers.')
    refuseUnlikePapers(found, fields)
    const { id: keptId } = chooseKept(found, keep_id)
    const others = ids.filter((id) => id !== keptId)
    // An import may be joining a record with one of the papers.
    await lockAdditions(tx, found[0]!.project_id!)
    // Before the documents are locked, in the lock order of jobs.
    await deleteJobs(tx, { documentIds: others })
    const locked = await lockDocuments(tx, ids)
    const papers = ids.map((id) => locked.get(id)!)
    refuseUnlikePapers(papers, fields)
    if (chooseKept(papers, keep_id).id !== keptId) throw new AppError('conflict', JOINED_MEANWHILE)
    return store(
      tx,
      actor,
      locked.get(keptId)!,
      others.map((id) => locked.get(id)!),
      fields,
    )
  })
  await vectorizeAfterEdit(actor, result.document_id)
  return result
}

function refuseUnlikePapers(papers: readonly Paper[], fields: JoinInput['fields']): void {
  if (papers.some(({ deleted_at }) => deleted_at !== null)) throw new AppError('conflict', JOINED_MEANWHILE)
  const [{ project_id } = { project_id: null }] = papers
  if (project_id === null || papers.some((paper) => paper.project_id !== project_id))
    throw new AppError('refused', NOT_SAME_PROJECT)
  const ids = new Set<string>(papers.map(({ id }) => id))
  const strange = Object.entries(fields).find(([, id]) => !ids.has(id))
  if (strange)
    throw new AppError('refused', 'A field names a paper that is not joined.', {
      fields: { [`fields.${strange[0]}`]: 'This paper is not among the joined papers.' },
    })
}

function chooseKept(papers: readonly Paper[], wanted: string | null | undefined): Paper {
  const kept = wanted ? papers.find(({ id }) => id === wanted)! : paperToKeep(papers)
  if (!kept) throw new AppError('refused', BOTH_HAVE_FILES, { fields: { keep_id: BOTH_HAVE_FILES } })
  if (kept.source_url === null && papers.some(({ source_url }) => source_url !== null))
    throw new AppError('refused', FILE_STAYS, { fields: { keep_id: FILE_STAYS } })
  return kept
}

async function store(
  tx: Tx,
  actor: Actor,
  kept: Paper,
  others: readonly Paper[],
  fields: JoinInput['fields'],
): Promise<JoinResult> {
  const earlier = (await lockJoinsOf(tx, kept.id)).map((join) => join.undo)
  const tagsOfJoins = earlier.flatMap(({ tag_ids }) => tag_ids)
  const { change, byPaper } = planJoin(kept, others, fields, earlier)
  await changeJoined(tx, kept, change)
  const joined: JoinResult['joined'] = []
  for (const other of others) {
    const tag_ids = await addTagsOf(tx, kept.id, other.id, tagsOfJoins)
    tagsOfJoins.push(...tag_ids)
    const undo = {
      ...byPaper.get(other.id)!,
      tag_ids,
      record_ids: await moveRecords(tx, kept.project_id!, { from: other.id, to: kept.id }),
      recommendation_ids: await moveRecommendations(tx, { from: other.id, to: kept.id }),
      zotero_item_ids: await moveItems(tx, kept.project_id!, { from: other.id, to: kept.id }),
      answers: await moveAnswers(tx, { from: other.id, to: kept.id }),
    }
    const row = { project_id: kept.project_id, kept_id: kept.id, joined_id: other.id, joined_by: actor.userId }
    joined.push({ id: await insertJoin(tx, { ...row, title: documentTitle(other), undo }), document_id: other.id })
  }
  await hideWithJobs(
    tx,
    actor,
    others.map(({ id }) => id),
  )
  await publishDuplicates(tx, kept.project_id!, actor.userId)
  return { document_id: kept.id, joined }
}
