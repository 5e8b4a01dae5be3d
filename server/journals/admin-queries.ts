import { eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { excludedJournals, journals } from '#server/db/tables/journals.ts'
import type { Journal, JournalInput, OpenAlexField } from '#shared/contract/journals.ts'
import { isVisible } from './exclusion-queries.ts'
import { journalsWith } from './queries.ts'

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
  version: journals.version,
  user_added: journals.user_added,
  edited_fields: sql<OpenAlexField[]>`${journals.edited_fields}`,
  personal: sql<boolean>`${journals.owner_id} is not null`,
}

/** A stored journal. It has the full address of the feed; responses omit the query of a personal feed's address. */
export type JournalRow = Omit<Journal, 'rss_feed_cut'>

/** Returns a page of the journals that are not excluded, sorted by name, with the number of all matches. */
export async function listVisibleJournals(
  tx: Tx,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<{ data: JournalRow[]; count: number }> {
  const { ids, count } = await (search ? pageOfFound(tx, search, limit, offset) : pageOfAll(tx, limit, offset))
  const rows = ids.length > 0 ? await findJournalsById(tx, ids) : []
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { data: ids.flatMap((id) => byId.get(id) ?? []), count }
}

interface Page extends Record<string, unknown> {
  ids: string[]
  count: number
}

/**
 * Returns the ids of one page of the journals that are not excluded. Reads from the nearer end of the list, with an index-only
 * scan.
 */
async function pageOfAll(tx: Tx, limit: number, offset: number): Promise<Page> {
  const count = await countVisible(tx)
  const wanted = Math.min(limit, count - offset)
  if (wanted <= 0) return { ids: [], count }
  const behind = count - offset - wanted
  const isNearEnd = behind < offset
  const direction = isNearEnd ? sql`desc` : sql`asc`
  const { rows } = await tx.execute<{ id: string }>(sql`
    select ${journals.id} from ${journals} where ${isVisible}
    order by ${journals.name_key} ${direction}, ${journals.id} ${direction}
    limit ${wanted} offset ${Math.min(offset, behind)}`)
  const ids = rows.map((row) => row.id)
  return { ids: isNearEnd ? ids.toReversed() : ids, count }
}

async function pageOfFound(tx: Tx, search: string, limit: number, offset: number): Promise<Page> {
  const { rows } = await tx.execute<Page>(sql`
    with found as materialized (
      select hit.id, hit.name_key from ${journalsWith(search)} hit
      where not exists (select 1 from ${excludedJournals} hidden where hidden.openalex_id = hit.openalex_key))
    select (select count(*)::int from found) as count,
      array(select id from found order by name_key, id limit ${limit} offset ${offset}) as ids`)
  return rows[0]!
}

/**
 * Returns the number of journals that are not excluded: all journals minus the few excluded journals. Both counts need only an
 * index.
 */
async function countVisible(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`
    select ((select count(*) from ${journals}) - (
      select count(*) from ${journals} join ${excludedJournals} hidden on hidden.openalex_id = ${journals.openalex_key}
    ))::int as n`)
  return rows[0]!.n
}

/** Returns the number of journals that are not excluded, and the time of the last update of a journal from OpenAlex. */
export async function summariseJournals(tx: Tx): Promise<{ count: number; last_updated: string | null }> {
  const count = await countVisible(tx)
  const [found] = await tx
    .select({ last: sql<string | null>`max(${journals.last_updated})` })
    .from(journals)
    .where(isVisible)
  return { count, last_updated: found!.last === null ? null : new Date(found!.last).toISOString() }
}

/** Returns a journal with all columns, even if it is excluded. */
export async function findWholeJournal(tx: Tx, id: string): Promise<JournalRow | undefined> {
  const [row] = await tx.select(columns).from(journals).where(eq(journals.id, id))
  return row
}

/** Returns a journal with the versions of its fields, locked until the transaction ends. */
export async function lockWholeJournal(
  tx: Tx,
  id: string,
): Promise<(JournalRow & { field_versions: Record<string, number> }) | undefined> {
  const [row] = await tx
    .select({ ...columns, field_versions: journals.field_versions })
    .from(journals)
    .where(eq(journals.id, id))
    .for('update')
  return row
}

/** Returns journals by id, unordered; unknown ids are skipped. */
export const findJournalsById = (tx: Tx, ids: readonly string[]): Promise<JournalRow[]> =>
  tx
    .select(columns)
    .from(journals)
    .where(inArray(journals.id, [...ids]))

/** Returns the journals of the catalog with these OpenAlex keys ('S137773608'), by key. */
export async function findJournalsByKey(tx: Tx, keys: readonly string[]): Promise<Map<string, JournalRow>> {
  const rows = await tx
    .select({ ...columns, key: journals.openalex_key })
    .from(journals)
    .where(inArray(journals.openalex_key, [...keys]))
  return new Map(rows.map(({ key, ...row }) => [key!, row]))
}

/**
 * Returns the name of the journal with this OpenAlex key. Undefined if there is none, or if it is the journal with the id
 * `butId`.
 */
export async function findNameByKey(tx: Tx, key: string, butId?: string): Promise<string | undefined> {
  const found = (await findJournalsByKey(tx, [key])).get(key)
  return found && found.id !== butId ? found.name : undefined
}

/** Inserts a journal of the catalog with all its fields. */
export async function insertWholeJournal(
  tx: Tx,
  row: JournalInput & { added_by: string; last_updated: string | null },
): Promise<JournalRow> {
  const [created] = await tx.insert(journals).values(row).returning(columns)
  return created!
}

/**
 * Updates a journal and returns it; undefined when it was deleted. `edited` are the fields that an admin changed, which updates
 * from OpenAlex then preserve. `givenBack` are the fields that updates from OpenAlex may overwrite again.
 */
export async function updateJournalRow(
  tx: Tx,
  id: string,
  change: Partial<JournalInput> & { last_updated?: string },
  { edited = [], givenBack = [] }: { edited?: readonly OpenAlexField[]; givenBack?: readonly OpenAlexField[] } = {},
): Promise<JournalRow | undefined> {
  const names = (list: readonly string[]) => sql`${sql.param([...list])}::text[]`
  const [row] = await tx
    .update(journals)
    .set({
      ...change,
      edited_fields: sql`array(
        select distinct name from unnest(${journals.edited_fields} || ${names(edited)}) as name
        where name <> all(${names(givenBack)}) order by name)`,
      updated_at: sql`now()`,
    })
    .where(eq(journals.id, id))
    .returning(columns)
  return row
}

/** Deletes a journal and returns it; undefined when it does not exist. */
export async function deleteJournalRow(tx: Tx, id: string): Promise<JournalRow | undefined> {
  const [row] = await tx.delete(journals).where(eq(journals.id, id)).returning(columns)
  return row
}
