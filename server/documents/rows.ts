import { asActor, brokenConstraint, type Tx } from '#server/db/client.ts'
import { findJournal, findOrCreateJournal, findOrNameJournal } from '#server/journals/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { authorize, type Authorized } from '#server/members/index.ts'
import { readersOf } from '#server/events/event-queries.ts'
import { publish, publishAll } from '#server/events/events.ts'
import type { Actor } from '#server/db/actor.ts'
import type { DocumentPatch } from '#shared/contract/document-edits.ts'
import { JOURNAL_NAME_MAX } from '#shared/contract/new-journal.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import type { Passage } from '#shared/contract/passages.ts'
import { tagIdsOf } from '#server/projects/index.ts'
import { passagesAfterEdit } from './edited-passages.ts'
import {
  findDocumentRow,
  findDocumentRowByKey,
  lockDocumentRow,
  replaceDocumentTags,
  type StoredDocument,
} from './queries.ts'

/**
 * Returns the document for an action that needs `right`. Throws 'not_found' if it does not exist or the caller may not read it,
 * and 'role' without the right.
 */
export async function documentOrThrow(tx: Tx, id: string, right: ProjectRight): Promise<Authorized<StoredDocument>> {
  return authorize(await findDocumentRow(tx, id), right, 'Document')
}

/**
 * Returns the document whose file is stored under `key` (its source_url), for an action that needs `right`. Throws 'not_found'
 * if there is none or the caller may not read it, and 'role' without the right.
 */
export async function documentAtKeyOrThrow(
  tx: Tx,
  key: string,
  right: ProjectRight,
): Promise<Authorized<StoredDocument>> {
  return authorize(await findDocumentRowByKey(tx, key), right, 'Document')
}

/**
 * Returns the document for a change, and locks its row until the transaction ends. Throws 'not_found' if the document does not
 * exist or the caller may not read it, and 'role' if the caller may not edit it.
 */
export async function lockedOrThrow(tx: Tx, id: string): Promise<Authorized<StoredDocument>> {
  // Row-level security locks no row that the caller may only read.
  return authorize((await lockDocumentRow(tx, id)) ?? (await findDocumentRow(tx, id)), 'edit', 'Document')
}

/**
 * Handles the error of a write into a project. Throws 'not_found' if the project was deleted after the caller's right was
 * checked; rethrows any other error.
 */
export function refuseDeletedProject(error: unknown): never {
  if (brokenConstraint(error) === 'documents_project_id_projects_id_fk') throw notFound('Project')
  throw error
}

/**
 * Returns the columns `journal_name` and `journal_id` for a journal name: no columns if the name is null or undefined, and null
 * in both columns if it is blank. `find` returns the journal with this name and creates a missing one. The default `find` is
 * for a name from a metadata service or an analysis: if the user has reached the daily limit of new journals, it creates no
 * journal, and the id is null. The id is also null for a name of more than JOURNAL_NAME_MAX characters.
 */
export async function namedJournal(
  tx: Tx,
  actor: Actor,
  name: string | null | undefined,
  find: typeof findOrNameJournal = findOrNameJournal,
) {
  if (name === null || name === undefined) return {}
  if (!name.trim()) return { journal_name: null, journal_id: null }
  // The database indexes the names of journals, and refuses a longer one.
  if (name.trim().length > JOURNAL_NAME_MAX) return { journal_name: name.trim(), journal_id: null }
  const journal = await find(tx, actor, name)
  return { journal_name: journal.name, journal_id: journal.id }
}

/**
 * Returns the columns `journal_name` and `journal_id` that a change of a document stores in addition to its own values. Creates
 * a journal for a new name. Throws 'refused' for an unknown `journal_id`, and 'too_many' if the user has reached the daily
 * limit of new journals. If `looked_up` contains 'journal_name', the name comes from a metadata service: above the limit,
 * nothing is thrown and the id is null.
 */
export async function journalOf(
  tx: Tx,
  actor: Actor,
  { journal_id, journal_name, looked_up = [] }: Pick<DocumentPatch, 'journal_id' | 'journal_name' | 'looked_up'>,
) {
  if (journal_id) {
    // A foreign key would accept the id of a journal that the caller does not see.
    const known = await findJournal(tx, journal_id)
    if (!known) throw new AppError('refused', 'Journal not found', { fields: { journal_id: 'Journal not found' } })
    return journal_name === undefined ? { journal_name: known.name } : {}
  }
  if (journal_name === null) return { journal_name: null, journal_id: null }
  const isLookedUp = looked_up.includes('journal_name')
  return namedJournal(tx, actor, journal_name, isLookedUp ? findOrNameJournal : findOrCreateJournal)
}

/** Replaces the tags of a document by tags with the names `keywords`. Creates tags that are missing in the project. */
export async function linkKeywords(
  tx: Tx,
  actor: Actor,
  { id, project_id }: Pick<StoredDocument, 'id' | 'project_id'>,
  keywords: readonly string[],
): Promise<void> {
  const scope = { projectId: project_id, userId: actor.userId }
  await replaceDocumentTags(tx, id, await tagIdsOf(tx, scope, keywords))
}

/** Publishes an event about a changed document at commit, for the open pages of the project's members. */
export const publishChange = (tx: Tx, row: StoredDocument, change: 'created' | 'updated' | 'deleted') =>
  publish(tx, readersOf(row), { event: 'document', data: { id: row.id, project_id: row.project_id, change } })

/**
 * Maximum number of documents for which a bulk change publishes separate events. Pages of single documents need them; a page
 * with a list reloads it after any event.
 */
const NAMED_IN_EVENTS = 100

/**
 * Publishes events about a change of many documents at commit. The events of a project are sent in one batch, so that open
 * pages reload their lists once. The events of documents without a project are sent only to the actor.
 */
export async function publishChanges(
  tx: Tx,
  actor: Actor,
  rows: readonly Pick<StoredDocument, 'id' | 'project_id'>[],
  change: 'created' | 'updated' | 'deleted',
): Promise<void> {
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  for (const [project_id, own] of byProject)
    await publishAll(
      tx,
      readersOf({ project_id, owner_id: actor.userId }),
      own.slice(0, NAMED_IN_EVENTS).map(({ id }) => ({ event: 'document', data: { id, project_id, change } })),
    )
}

/** A function that throws if the job was stopped. It is called in the transaction that stores the result of the job. */
export type StillRunning = (tx: Tx) => Promise<void>

/**
 * Changes the statements or the text of a document: calls `plan` for the change, searches the new passages outside of a
 * transaction, because that can take long, and calls `save` with the locked document. Starts again if the document changed
 * meanwhile; throws 'conflict' after five attempts.
 */
export async function editDocument<T extends Parameters<typeof passagesAfterEdit>[2]>(
  actor: Actor,
  id: string,
  plan: (tx: Tx, before: StoredDocument) => Promise<T>,
  save: (tx: Tx, before: Authorized<StoredDocument>, change: T, passages: Passage[]) => Promise<StoredDocument>,
  assertStillRunning?: StillRunning,
): Promise<StoredDocument> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { before, change } = await asActor(actor, async (tx) => {
      const before = await documentOrThrow(tx, id, 'edit')
      return { before, change: await plan(tx, before) }
    })
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
