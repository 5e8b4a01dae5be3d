import { recordAudit } from '#server/audit/index.ts'
import { asActor, asAdmin, type Tx } from '#server/db/client.ts'
import { findFeedAddress } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { JOURNALS_A_DAY, type JournalOption } from '#shared/contract/journals.ts'
import {
  countNamedToday,
  findJournal,
  findJournalByFeed,
  findJournalByName,
  insertJournalRow,
  insertJournalWithFeed,
  type JournalsQuery,
  listJournalRows,
  lockJournalName,
  setJournalFeed,
} from './queries.ts'

/** Returns a page of the journals that the caller may see, and the number of all journals that match the query. */
export const listJournals = (actor: Actor, query: JournalsQuery): Promise<{ data: JournalOption[]; count: number }> =>
  asActor(actor, (tx) => listJournalRows(tx, query))

/**
 * Adds a journal with its feed to the catalog; for admins only. `input.url` is the address of the feed or of a home page that
 * links to it. If a journal with this name has no feed, it gets this feed, and no journal is added.
 */
export async function addJournalFeed(actor: Actor, input: { name: string; url: string }): Promise<JournalOption> {
  if (!actor.isAdmin) throw new AppError('forbidden', 'Only admins can add journals to the catalog.')
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(input.url) ? input.url : `https://${input.url}`
  const rss_feed_url = await findFeedAddress(given)
  return asAdmin(actor, async (tx) => {
    const known = await findJournalByFeed(tx, rss_feed_url)
    if (known && !known.personal) throw new AppError('conflict', `This feed belongs to ${known.name} already.`)
    const named = await findJournalByName(tx, input.name)
    const changed = named ? await setJournalFeed(tx, named.id, rss_feed_url) : undefined
    const row = { name: input.name, rss_feed_url, added_by: actor.userId, user_added: false, owner_id: null }
    const journal = changed ?? (await insertJournalWithFeed(tx, row))
    await recordAudit(tx, actor, {
      action: changed ? 'journal.changed' : 'journal.added',
      subjectId: journal.id,
      subject: journal.name,
      details: { rss_feed_url: { from: null, to: rss_feed_url } },
    })
    return journal
  })
}

/** Adds a personal journal of the caller for a feed. The caller must have read the feed successfully before. */
export const addJournalByFeed = (tx: Tx, actor: Actor, row: { name: string; rss_feed_url: string }) =>
  insertJournalWithFeed(tx, { ...row, added_by: actor.userId, user_added: true, owner_id: actor.userId })

/**
 * Returns the id and name of the journal with this name. If there is none, adds it to the catalog as added by a user. Runs in
 * the caller's transaction, with the caller's role. Throws 'too_many' when the caller has added JOURNALS_A_DAY journals within
 * 24 hours; this limit does not apply to admins.
 */
export async function findOrCreateJournal(tx: Tx, actor: Actor, name: string): Promise<{ id: string; name: string }> {
  const known = await findJournalByName(tx, name.trim())
  if (known) return known
  if (!actor.isAdmin) {
    const { count, seconds } = await countNamedToday(tx, actor.userId)
    if (count >= JOURNALS_A_DAY)
      throw new AppError(
        'too_many',
        `At most ${JOURNALS_A_DAY} new journals can be added within 24 hours. Choose a journal from the list, or add this one later.`,
        { retryAfter: Math.max(1, seconds) },
      )
  }
  const created = await insertJournalRow(tx, name.trim(), actor.userId)
  if (!created) throw new AppError('internal', 'Failed to create journal')
  return created
}

/**
 * Returns the journal with this name. If there is none, adds it as `findOrCreateJournal` does; `created` is then true.
 * Concurrent calls with one name add one journal.
 */
export const addJournal = (actor: Actor, name: string): Promise<{ journal: JournalOption; created: boolean }> =>
  asActor(actor, async (tx) => {
    await lockJournalName(tx, name)
    const known = await findJournalByName(tx, name)
    const { id } = known ?? (await findOrCreateJournal(tx, actor, name))
    return { journal: (await findJournal(tx, id))!, created: known === undefined }
  })

/**
 * Returns the id and name of the journal with this name. If there is none, adds it to the catalog. Use it for a name that no
 * user typed, such as a name from a metadata service: if the caller has reached the daily limit of new journals, it adds no
 * journal and returns the name with a null id instead of an error.
 */
export async function findOrNameJournal(
  tx: Tx,
  actor: Actor,
  name: string,
): Promise<{ id: string | null; name: string }> {
  return findOrCreateJournal(tx, actor, name).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'too_many') return { id: null, name: name.trim() }
    throw error
  })
}

/**
 * Does the same as `findOrNameJournal`. If the journal is missing, other calls with this name wait until the transaction ends,
 * so that concurrent calls add one journal. Use it in a short transaction without other locks.
 */
export const addMissingJournal: typeof findOrNameJournal = async (tx, actor, name) => {
  const known = await findJournalByName(tx, name.trim())
  if (known) return known
  await lockJournalName(tx, name.trim())
  return findOrNameJournal(tx, actor, name)
}
