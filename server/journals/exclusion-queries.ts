import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { excludedJournals, journals } from '#server/db/tables/journals.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import type { ExcludedJournal } from '#shared/contract/journals.ts'

const columns = {
  id: excludedJournals.id,
  openalex_id: excludedJournals.openalex_id,
  journal_name: excludedJournals.journal_name,
  reason: excludedJournals.reason,
  excluded_at: excludedJournals.excluded_at,
}

/** SQL condition: the journal is not excluded. The subquery runs once per statement; a join would run it for each journal. */
export const isVisible = sql`(${journals}.openalex_key in (select hidden.openalex_id from ${excludedJournals} hidden)) is not true`

/** Returns a slice of the exclusion list, latest entry first, with the number of all entries. */
export async function listExcludedRows(tx: Tx, { limit, offset }: Slice): Promise<Listed<ExcludedJournal>> {
  const rows = tx
    .select(columns)
    .from(excludedJournals)
    .orderBy(desc(excludedJournals.excluded_at), excludedJournals.id)
  const data = await (limit === undefined ? rows : rows.limit(limit).offset(offset))
  return { data, count: await tx.$count(excludedJournals) }
}

/** Returns those OpenAlex keys in `keys` that are on the exclusion list. */
export async function findExcludedKeys(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ key: excludedJournals.openalex_id })
    .from(excludedJournals)
    .where(inArray(excludedJournals.openalex_id, [...keys]))
  return new Set(rows.map(({ key }) => key))
}

/** Adds entries to the exclusion list and returns them. Existing entries stay unchanged and are not returned. */
export const insertExcludedRows = (
  tx: Tx,
  rows: readonly { openalex_id: string; journal_name: string; reason: string | null }[],
): Promise<ExcludedJournal[]> =>
  tx
    .insert(excludedJournals)
    .values([...rows])
    .onConflictDoNothing({ target: excludedJournals.openalex_id })
    .returning(columns)

/** Deletes an entry of the exclusion list and returns it; undefined when it does not exist. */
export async function deleteExcludedRow(tx: Tx, id: string): Promise<ExcludedJournal | undefined> {
  const [row] = await tx.delete(excludedJournals).where(eq(excludedJournals.id, id)).returning(columns)
  return row
}
