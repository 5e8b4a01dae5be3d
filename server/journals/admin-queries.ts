import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { journals } from '#server/db/tables/journals.ts'
import { containing } from '#server/lib/like-pattern.ts'
import type { Journal, JournalPatch } from '#shared/journals.ts'
import { isVisible } from './exclusion-queries.ts'

const columns = {
  id: journals.id,
  name: journals.name,
  publisher: journals.publisher,
  issn_l: journals.issn_l,
  works_count: journals.works_count,
  citations_count: journals.citations_count,
  is_open_access: journals.is_open_access,
  rss_feed_url: journals.rss_feed_url,
  homepage_url: journals.homepage_url,
  description: journals.description,
  h_index: journals.h_index,
  i10_index: journals.i10_index,
  openalex_id: journals.openalex_id,
  works_api_url: journals.works_api_url,
  last_updated: journals.last_updated,
  updated_at: journals.updated_at,
  user_added: journals.user_added,
}

/**
 * A page of the journals that are not excluded, by name, and how many there are in all. A search looks through every row
 * and so counts on the way; without one the page comes from an index.
 */
export async function listVisibleJournals(
  tx: Tx,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<{ data: Journal[]; count: number }> {
  const where = and(isVisible, search ? contains(search) : undefined)
  const found = sql<number>`${search ? sql`(count(*) over ())::int` : sql`0`}`
  const rows = await tx
    .select({ row: columns, found })
    .from(journals)
    .where(where)
    .orderBy(sql`lower(${journals.name})`, journals.id)
    .limit(limit)
    .offset(offset)
  const data = rows.map(({ row }) => row)
  if (search && rows[0]) return { data, count: rows[0].found }
  const [counted] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(journals)
    .where(where)
  return { data, count: counted!.count }
}

/** How many journals are not excluded, and when OpenAlex last changed one. */
export async function summariseJournals(tx: Tx): Promise<{ count: number; last_updated: string | null }> {
  const [found] = await tx
    .select({ count: sql<number>`count(*)::int`, last: sql<string | null>`max(${journals.last_updated})` })
    .from(journals)
    .where(isVisible)
  return { count: found!.count, last_updated: found!.last === null ? null : new Date(found!.last).toISOString() }
}

/** A journal with everything there is of it, excluded or not. */
export async function findWholeJournal(tx: Tx, id: string): Promise<Journal | undefined> {
  const [row] = await tx.select(columns).from(journals).where(eq(journals.id, id))
  return row
}

/** These journals, in no order; ids that are not there are left out. */
export const findJournalsById = (tx: Tx, ids: readonly string[]): Promise<Journal[]> =>
  tx
    .select(columns)
    .from(journals)
    .where(inArray(journals.id, [...ids]))

/** Which journal of the catalogue each of these keys of OpenAlex is. */
export async function findJournalsByKey(tx: Tx, keys: readonly string[]): Promise<Map<string, Journal>> {
  const rows = await tx
    .select({ ...columns, key: journals.openalex_key })
    .from(journals)
    .where(inArray(journals.openalex_key, [...keys]))
  return new Map(rows.map(({ key, ...row }) => [key!, row]))
}

/** The name of another journal that has this key of OpenAlex. */
export async function findNameByKey(tx: Tx, key: string, butId?: string): Promise<string | undefined> {
  const found = (await findJournalsByKey(tx, [key])).get(key)
  return found && found.id !== butId ? found.name : undefined
}

export async function insertWholeJournal(
  tx: Tx,
  row: JournalPatch & { name: string; added_by: string; last_updated: string | null },
): Promise<Journal> {
  const [created] = await tx.insert(journals).values(row).returning(columns)
  return created!
}

/** Undefined when the journal is gone. */
export async function updateJournalRow(
  tx: Tx,
  id: string,
  change: JournalPatch & { last_updated?: string },
): Promise<Journal | undefined> {
  const [row] = await tx
    .update(journals)
    .set({ ...change, updated_at: sql`now()` })
    .where(eq(journals.id, id))
    .returning(columns)
  return row
}

export async function deleteJournalRow(tx: Tx, id: string): Promise<Journal | undefined> {
  const [row] = await tx.delete(journals).where(eq(journals.id, id)).returning(columns)
  return row
}

function contains(search: string): SQL {
  const words = containing(search)
  return sql`(${journals.name} ilike ${words} or ${journals.publisher} ilike ${words} or ${journals.issn_l} ilike ${words})`
}
