import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import { checkProject } from '#server/projects/index.ts'
import {
  MOST_SAVED_SEARCHES,
  type NewSavedSearch,
  type SavedSearch,
  type SavedSearchEdit,
  TOO_MANY_SAVED_SEARCHES,
} from '#shared/contract/saved-searches.ts'
import { parseSearch, refuseSearch } from '#shared/contract/search-query.ts'
import {
  deleteSavedRow,
  insertSavedRow,
  listSavedRows,
  lockSavedRow,
  type SavedRow,
  updateSavedRow,
} from './saved-queries.ts'

/**
 * Returns the caller's saved searches of a project, oldest first. Throws 'not_found' for a project that the caller does not
 * read.
 */
export const listSavedSearches = (actor: Actor, projectId: string): Promise<SavedSearch[]> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'read')
    return (await listSavedRows(tx, projectId)).map(present)
  })

/** Saves a search for the caller. Throws 'refused' for a search without words and for too many saved searches. */
export const saveSearch = (
  actor: Actor,
  projectId: string,
  { name, query, notify }: Required<NewSavedSearch>,
): Promise<SavedSearch> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'read')
    const refusal = refuseSearch(parseSearch(query.q))
    if (refusal !== null) throw new AppError('refused', refusal, { fields: { query: refusal } })
    if ((await listSavedRows(tx, projectId)).length >= MOST_SAVED_SEARCHES)
      throw new AppError('refused', TOO_MANY_SAVED_SEARCHES)
    const values = { project_id: projectId, created_by: actor.userId, name, query, ...notifying(notify) }
    return present(await insertSavedRow(tx, values))
  })

/**
 * Renames a saved search, or switches its e-mails on or off. Throws 'not_found', or 'changed' when another device of the user
 * changed the same value after `version`.
 */
export const editSavedSearch = (
  actor: Actor,
  id: string,
  { version, name, notify }: SavedSearchEdit,
): Promise<SavedSearch> =>
  asActor(actor, async (tx) => {
    const before = await lockSavedRow(tx, id)
    if (!before) throw notFound('Saved search')
    refuseStaleChange(before, { name, notify }, version, present)
    const row = await updateSavedRow(tx, id, {
      name: name ?? before.name,
      ...(notify === undefined || notify === before.notify ? {} : notifying(notify)),
    })
    return present(row!)
  })

/** Deletes a saved search. Throws 'not_found'. */
export const deleteSavedSearch = (actor: Actor, id: string): Promise<void> =>
  asActor(actor, async (tx) => {
    if (!(await deleteSavedRow(tx, id))) throw notFound('Saved search')
  })

/**
 * Returns the columns that switch the e-mails of a saved search on or off. Only papers that are added after the switch count as
 * new.
 */
function notifying(notify: boolean) {
  const now = notify ? new Date().toISOString() : null
  return { notify, notify_since: now, last_notified_at: now, reported: [] }
}

const present = ({
  id,
  project_id,
  name,
  query,
  notify,
  last_notified_at,
  created_at,
  version,
}: SavedRow): SavedSearch => ({
  id,
  project_id,
  name,
  query,
  notify,
  last_notified_at,
  created_at,
  version,
})
