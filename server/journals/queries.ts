import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { journals } from '#server/db/tables/journals.ts'
import { containing } from '#server/db/like-pattern.ts'
import type { JournalOption } from '#shared/contract/journals.ts'
import { isVisible } from './exclusion-queries.ts'

const option = {
  id: journals.id,
  name: journals.name,
  rss_feed_url: journals.rss_feed_url,
  user_added: journals.user_added,
  personal: sql<boolean>`${journals.owner_id} is not null`,
}

/** Sort order of journals: journals of the catalog before the caller's personal journals, then older before newer. */
const CATALOGUE_FIRST = [sql`${journals.owner_id} is not null`, journals.created_at]

/**
 * Matches a search text that is selective enough for the trigram index: it has a word of at least five characters. Other texts
 * are searched by a sequential scan, which is faster for them.
 */
const SELECTIVE_TERM = /[\p{L}\p{N}]{5}/u

/**
 * Returns the SQL of a table of journals whose name, publisher or ISSN-L contains a text, with the columns `id`, `name_key` and
 * `openalex_key`.
 */
export const journalsWith = (search: string): SQL => sql`search_journals(${containing(search)})`

/**
 * A query for journals: `search` is a text that the name contains; `page` counts from 1; with `hasFeed`, only journals with a
 * feed address match.
 */
export interface JournalsQuery {
  search: string
  page: number
  limit: number
  hasFeed: boolean
}

/**
 * Returns a page of the journals that match a query and are not excluded, and `count`, the number of all matches. Journals
 * whose name begins with `search` come first. With `hasFeed`, only journals with a feed match.
 */
export async function listJournalRows(
  tx: Tx,
  { search, page, limit, hasFeed }: JournalsQuery,
): Promise<{ data: JournalOption[]; count: number }> {
  const words = search.replace(/[\\%_]/g, '\\$&')
  const wanted = and(
    isVisible,
    search ? sql`${journals.name} ilike ${`%${words}%`}` : undefined,
    SELECTIVE_TERM.test(search) && !hasFeed
      ? sql`${journals.id} in (select hit.id from ${journalsWith(search)} hit)`
      : undefined,
    hasFeed ? isNotNull(journals.rss_feed_url) : undefined,
  )
  const data = await tx
    .select(option)
    .from(journals)
    .where(wanted)
    .orderBy(...(search ? [sql`${journals.name} not ilike ${`${words}%`}`] : []), journals.name_key, journals.id)
    .limit(limit)
    .offset((page - 1) * limit)
  // A first page that is not full contains all matches.
  if (page === 1 && data.length < limit) return { data, count: data.length }
  return { data, count: await tx.$count(journals, wanted) }
}

/**
 * Returns the journal with this name, ignoring case; undefined if there is none. If several have the name, prefers the catalog
 * to the personal journals of the caller, then the oldest journal.
 */
export async function findJournalByName(tx: Tx, name: string) {
  const [row] = await tx
    .select({ id: journals.id, name: journals.name })
    .from(journals)
    .where(sql`${journals.name_key} = lower(${name})`)
    .orderBy(...CATALOGUE_FIRST)
    .limit(1)
  return row
}

/** Serializes transactions that add a journal with this name, ignoring case (advisory lock, released at commit). */
export async function lockJournalName(tx: Tx, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('journal ' || lower(${name}), 0))`)
}

/** Returns a journal that the caller may see, or undefined. */
export async function findJournal(tx: Tx, id: string): Promise<JournalOption | undefined> {
  const [row] = await tx.select(option).from(journals).where(eq(journals.id, id))
  return row
}

/**
 * Returns the journal with this feed address; undefined if there is none. If several have it, prefers the catalog to the
 * personal journals of the caller, then the oldest journal.
 */
export async function findJournalByFeed(tx: Tx, url: string): Promise<JournalOption | undefined> {
  const [row] = await tx
    .select(option)
    .from(journals)
    .where(eq(journals.rss_feed_url, url))
    .orderBy(...CATALOGUE_FIRST)
    .limit(1)
  return row
}

/** Adds a journal with its feed: for the user `owner_id` only, or to the catalog if `owner_id` is null. */
export async function insertJournalWithFeed(
  tx: Tx,
  row: { name: string; rss_feed_url: string; added_by: string; user_added: boolean; owner_id: string | null },
): Promise<JournalOption> {
  const [created] = await tx.insert(journals).values(row).returning(option)
  return created!
}

/**
 * Sets the feed of a journal that has none, and returns the journal. Returns undefined, without a change, when the journal does
 * not exist or already has a feed.
 */
export async function setJournalFeed(tx: Tx, id: string, url: string): Promise<JournalOption | undefined> {
  const [row] = await tx
    .update(journals)
    .set({ rss_feed_url: url, updated_at: sql`now()` })
    .where(and(eq(journals.id, id), isNull(journals.rss_feed_url)))
    .returning(option)
  return row
}

/**
 * Counts the journals that a user added by name in the last 24 hours, for the daily limit. `seconds` is the time until the
 * oldest of them is 24 hours old and no longer counts; 0 if there are none.
 */
export async function countNamedToday(tx: Tx, userId: string): Promise<{ count: number; seconds: number }> {
  const [row] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      seconds: sql<number>`coalesce(ceil(extract(epoch from min(${journals.created_at}) + interval '1 day' - now())), 0)::int`,
    })
    .from(journals)
    .where(
      and(
        journals.user_added,
        eq(journals.added_by, userId),
        isNull(journals.owner_id),
        sql`${journals.created_at} > now() - interval '1 day'`,
      ),
    )
  return row!
}

/** Inserts a journal without a feed, which the user `addedBy` added by its name, into the catalog. */
export async function insertJournalRow(tx: Tx, name: string, addedBy: string) {
  const [row] = await tx
    .insert(journals)
    .values({ name, added_by: addedBy, user_added: true })
    .returning({ id: journals.id, name: journals.name })
  return row
}
