import type { Actor } from '#server/db/actor.ts'
import type { Tx } from '#server/db/client.ts'
import { enqueueOnce } from '#server/queue/queue.ts'
import type { StoredDocument } from './queries.ts'
import { markProcessing } from './results.ts'

/**
 * Starts the automatic processing of a document with a new file by queueing the extraction of its text. server/processing
 * starts the next step after each completed job whose input is `automatic`.
 */
export async function startAutomatic(
  tx: Tx,
  actor: Actor,
  { id, project_id }: Pick<StoredDocument, 'id' | 'project_id'>,
): Promise<void> {
  const input = { protected: false, auto: true, automatic: true }
  const wanted = { kind: 'extract', ownerId: actor.userId, documentId: id, projectId: project_id, input } as const
  if ((await enqueueOnce(tx, wanted)).isNew) await markProcessing(tx, id)
}
