import { asActor, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/lib/session.ts'
import type { JournalOption } from '#shared/journals.ts'
import { findJournalByName, insertJournalRow, listJournalRows } from './queries.ts'

export const listJournals = (actor: Actor, search: string, limit: number): Promise<JournalOption[]> =>
  asActor(actor, (tx) => listJournalRows(tx, search, limit))

/**
 * The id and name of the journal called so, which is added (and marked as user-added) when the catalogue has none.
 * Runs in the caller's transaction, under the caller's role.
 */
export async function findOrCreateJournal(tx: Tx, actor: Actor, name: string): Promise<{ id: string; name: string }> {
  const found = (await findJournalByName(tx, name.trim())) ?? (await insertJournalRow(tx, name.trim(), actor.userId))
  if (!found) throw new AppError('internal', 'Failed to create journal')
  return found
}
