import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { copyDocument, createTagsOf } from '#server/documents/index.ts'
import { publish } from '#server/events/events.ts'
import { AppError } from '#server/lib/errors.ts'
import { checkProject } from '#server/projects/index.ts'
import { copyChunks } from '#server/retrieval/index.ts'
import { NO_COPIED_DOCUMENTS, type CopyCount, type DocumentsCopy } from '#shared/contract/bulk-documents.ts'

/**
 * Maximum number of documents that one transaction copies. It is small because all chunks and sentences of each document are
 * also copied.
 */
const AT_ONCE = 20

/**
 * Copies documents with their vectors into a project that the caller may edit (SHR-08). Returns the ids of documents whose file
 * is already in the project as `present`, and the ids that the caller may not read as `missing`; neither are copied. Throws
 * 'not_found' if the caller may read none of the documents.
 */
export async function copyDocuments(actor: Actor, { document_ids, project_id }: DocumentsCopy): Promise<CopyCount> {
  const ids = [...new Set(document_ids)]
  const result: CopyCount = { count: 0, present: [], missing: [] }
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const slice = ids.slice(at, at + AT_ONCE)
    await createTagsOf(actor, slice, project_id)
    const outcomes = await asActor(actor, async (tx) => {
      await checkProject(tx, project_id, 'edit')
      const copies = new Map<string, Awaited<ReturnType<typeof copyDocument>>>()
      for (const id of slice) {
        const copy = await copyDocument(tx, actor, id, project_id)
        if (typeof copy === 'object') await copyChunks(tx, id, copy.id)
        copies.set(id, copy)
      }
      await publish(tx, { projectId: project_id }, { event: 'project', data: { id: project_id, change: 'updated' } })
      return copies
    })
    for (const [id, copy] of outcomes)
      if (copy === undefined) result.missing.push(id)
      else if (copy === 'same file') result.present.push(id)
      else result.count++
  }
  if (result.missing.length === ids.length) throw new AppError('not_found', NO_COPIED_DOCUMENTS)
  return result
}
