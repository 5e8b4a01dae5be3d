import { asActor, type Tx } from '#server/db/client.ts'
import { findJournal, findOrCreateJournal, findOrNameJournal } from '#server/journals/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish, publishAll } from '#server/events/events.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Passage } from '#shared/contract/passages.ts'
import { passagesAfterEdit } from './edited-passages.ts'
import { findDocumentRow, findDocumentRowByKey, lockDocumentRow, type StoredDocument } from './queries.ts'

/** Returns the document. Throws 'Document not found' when it does not exist or is not the caller's. */
export async function documentOrThrow(tx: Tx, id: string): Promise<StoredDocument> {
  const found = await findDocumentRow(tx, id)
  if (!found) throw notFound('Document')
  return found
}

/**
 * Returns the document whose file is stored under `key` (its source_url). Throws 'Document not found' when it does not
 * exist or is not the caller's.
 */
export async function documentAtKeyOrThrow(tx: Tx, key: string): Promise<StoredDocument> {
  const found = await findDocumentRowByKey(tx, key)
  if (!found) throw notFound('Document')
  return found
}

/** Same as documentOrThrow, and locks the row until the transaction ends. */
export async function lockedOrThrow(tx: Tx, id: string): Promise<StoredDocument> {
  const row = await lockDocumentRow(tx, id)
  if (!row) throw notFound('Document')
  return row
}

/** Returns the columns of the journal that a service or an analysis names; adds a new journal within the user's limit. */
export async function namedJournal(tx: Tx, actor: Actor, name: string | null | undefined) {
  if (name === null || name === undefined) return {}
  if (!name.trim()) return { journal_name: null, journal_id: null }
  const journal = await findOrNameJournal(tx, actor, name)
  return { journal_name: journal.name, journal_id: journal.id }
}

/** Returns the columns of the journal that a change names; adds a new journal. */
export async function journalOf(
  tx: Tx,
  actor: Actor,
  patch: { journal_name?: string | null; journal_id?: string | null },
) {
  if (patch.journal_id) {
    // A foreign key would accept the id of a journal that the caller does not see.
    const known = await findJournal(tx, patch.journal_id)
    if (!known) throw new AppError('refused', 'Journal not found', { fields: { journal_id: 'Journal not found' } })
    return patch.journal_name === undefined ? { journal_name: known.name } : {}
  }
  if (patch.journal_name === undefined) return {}
  if (!patch.journal_name?.trim()) return { journal_name: null, journal_id: null }
  const journal = await findOrCreateJournal(tx, actor, patch.journal_name)
  return { journal_name: journal.name, journal_id: journal.id }
}

/** Publishes a change to the owner's open pages at commit. */
export const publishChange = (tx: Tx, row: StoredDocument, change: 'created' | 'updated' | 'deleted') =>
  publish(tx, row.owner_id, { event: 'document', data: { id: row.id, project_id: row.project_id, change } })

/**
 * Up to this many documents, events name each one, for pages that show a single document; lists are read again for any
 * number.
 */
const NAMED_IN_EVENTS = 100

/**
 * Publishes one change of many documents at commit. The events are sent in one batch, so that open pages read their
 * lists once.
 */
export const publishChanges = (
  tx: Tx,
  ownerId: string,
  rows: readonly Pick<StoredDocument, 'id' | 'project_id'>[],
  change: 'created' | 'updated' | 'deleted',
) =>
  publishAll(
    tx,
    ownerId,
    rows
      .slice(0, NAMED_IN_EVENTS)
      .map(({ id, project_id }) => ({ event: 'document', data: { id, project_id, change } })),
  )

/** Throws inside the transaction that stores a job's result when the job was stopped meanwhile. */
export type StillRunning = (tx: Tx) => Promise<void>

/**
 * Changes statements or the text of their passages. Searches for the passages outside any transaction, because that
 * takes time; if the document changed meanwhile, which the lock reveals, it starts over.
 */
export async function editDocument<T extends Parameters<typeof passagesAfterEdit>[2]>(
  actor: Actor,
  id: string,
  plan: (tx: Tx) => Promise<T>,
  save: (tx: Tx, before: StoredDocument, change: T, passages: Passage[]) => Promise<StoredDocument>,
  assertStillRunning?: StillRunning,
): Promise<StoredDocument> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { before, change } = await asActor(actor, async (tx) => ({
      before: await documentOrThrow(tx, id),
      change: await plan(tx),
    }))
    const passages = await passagesAfterEdit(actor, before, change)
    const saved = await asActor(actor, async (tx) => {
      // Before the document is locked, in the lock order of jobs.
      await assertStillRunning?.(tx)
      const now = await lockedOrThrow(tx, id)
      if (now.text_version !== before.text_version || JSON.stringify(now.passages) !== JSON.stringify(before.passages))
        return null
      const row = await save(tx, now, change, passages)
      await publishChange(tx, row, 'updated')
      return row
    })
    if (saved) return saved
  }
  throw new AppError('conflict', 'The document changed while it was being saved. Please try again.')
}
