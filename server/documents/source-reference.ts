import { randomUUID } from 'node:crypto'
import type { Actor } from '#server/db/actor.ts'
import type { Tx } from '#server/db/client.ts'
import type { Reference } from '#shared/contract/references.ts'
import { IN_JOURNALS } from './edit-reference.ts'
import type { StoredDocument } from './queries.ts'
import { linkKeywords, namedJournal } from './rows.ts'
import { insertDocumentRow } from './write-queries.ts'

/**
 * Creates a document without a file, pending, from the whole reference of a source. The caller records the import and
 * publishes the change.
 */
export async function insertReference(
  tx: Tx,
  actor: Actor,
  projectId: string,
  { reference, tags }: { reference: Reference; tags: readonly string[] },
): Promise<StoredDocument> {
  const container = reference['container-title']
  const journal = container && IN_JOURNALS.has(reference.type) ? await namedJournal(tx, actor, container) : {}
  const row = await insertDocumentRow(tx, {
    ...journal,
    reference: { ...reference, ...(journal.journal_name ? { 'container-title': journal.journal_name } : {}) },
    keywords: [...tags],
    id: randomUUID(),
    owner_id: actor.userId,
    project_id: projectId,
    filename: '',
    metadata_checked_at: new Date().toISOString(),
    status: 'pending',
  })
  if (tags.length > 0) await linkKeywords(tx, actor, row, tags)
  return row
}
