import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { asSystem, type Tx } from '#server/db/client.ts'
import { journalImports } from '#server/db/tables/journals.ts'
import { CHANNELS } from '#server/events/listen.ts'
import { OPENALEX_FIELDS, type OpenAlexField, type OpenAlexSource, UNKNOWN_JOURNAL } from '#shared/contract/journals.ts'

export type ImportRow = typeof journalImports.$inferSelect

const changed = { revision: sql`${journalImports.revision} + 1` }

/** Notifies at commit the streams that show the progress of a catalog update. */
export const announceImport = (tx: Tx) => tx.execute(sql`select pg_notify(${CHANNELS.import}, '')`)

/** Inserts a running catalog update. Returns undefined while another update is running. */
export async function insertImport(tx: Tx, startedBy: string): Promise<ImportRow | undefined> {
  const [row] = await tx
    .insert(journalImports)
    .values({ started_by: startedBy })
    .onConflictDoNothing({ target: journalImports.status, where: sql`status = 'running'` })
    .returning()
  return row
}

/** Stores the id of the job that runs a catalog update. */
export async function setImportJob(tx: Tx, id: string, jobId: string): Promise<ImportRow> {
  const [row] = await tx.update(journalImports).set({ job_id: jobId }).where(eq(journalImports.id, id)).returning()
  return row!
}

/** Returns a catalog update, or undefined. */
export async function findImport(tx: Tx, id: string): Promise<ImportRow | undefined> {
  const [row] = await tx.select().from(journalImports).where(eq(journalImports.id, id))
  return row
}

/** Returns the latest catalog updates, newest first. */
export const listImportRows = (limit: number, offset = 0): Promise<ImportRow[]> =>
  asSystem((tx) =>
    tx
      .select()
      .from(journalImports)
      .orderBy(desc(journalImports.started_at), journalImports.id)
      .limit(limit)
      .offset(offset),
  )

/** Returns the number of all catalog updates. */
export const countImportRows = (): Promise<number> => asSystem((tx) => tx.$count(journalImports))

/** Ends a running catalog update. Returns undefined if it had already ended. */
export async function endImport(
  tx: Tx,
  id: string,
  status: 'completed' | 'error',
  message: string,
): Promise<ImportRow | undefined> {
  const [row] = await tx
    .update(journalImports)
    .set({ status, message, finished_at: sql`now()`, ...changed })
    .where(sql`${journalImports.id} = ${id} and ${journalImports.status} = 'running'`)
    .returning()
  if (row) await announceImport(tx)
  return row
}

/**
 * Ends the catalog updates with the status 'running' that have no queued or running job, for example because an account was
 * deleted together with its job. `message` is the stored error.
 */
export async function endOrphanedImports(tx: Tx, message: string): Promise<void> {
  const orphaned = sql`${journalImports.status} = 'running' and not exists (
    select 1 from jobs where jobs.id = ${journalImports}.job_id and jobs.status in ('queued', 'running'))`
  const rows = await tx
    .update(journalImports)
    .set({ status: 'error', message, finished_at: sql`now()`, ...changed })
    .where(orphaned)
    .returning({ id: journalImports.id })
  if (rows.length > 0) await announceImport(tx)
}

/** Stores the reason why a catalog update is waiting; null removes the reason. */
export async function noteImport(tx: Tx, id: string, message: string | null): Promise<void> {
  await tx
    .update(journalImports)
    .set({ message, ...changed })
    .where(eq(journalImports.id, id))
  await announceImport(tx)
}

/** The numbers of journals on one page of OpenAlex, by outcome. */
export interface PageCounts {
  processed: number
  added: number
  updated: number
  skipped: number
  excluded: number
  errors: number
}

/**
 * Adds the counts of a page to its catalog update, and stores the cursor of the next page. `expected` is the number of all
 * journals according to OpenAlex; null leaves the stored number unchanged. Call it in the transaction that stores the journals
 * of the page.
 */
export async function advanceImport(
  tx: Tx,
  id: string,
  counts: PageCounts,
  { cursor, expected }: { cursor: string; expected: number | null },
): Promise<ImportRow> {
  const plus = (column: keyof PageCounts) => sql`${journalImports[column]} + ${counts[column]}`
  const [row] = await tx
    .update(journalImports)
    .set({
      processed: plus('processed'),
      added: plus('added'),
      updated: plus('updated'),
      skipped: plus('skipped'),
      excluded: plus('excluded'),
      errors: plus('errors'),
      pages: sql`${journalImports.pages} + 1`,
      cursor,
      message: null,
      ...(expected === null ? {} : { expected }),
      ...changed,
    })
    .where(eq(journalImports.id, id))
    .returning()
  await announceImport(tx)
  return row!
}

/**
 * For each field that OpenAlex provides, the SQL of its new value. The existing value is used if an admin edited the field or
 * OpenAlex has no value.
 */
const merged = Object.fromEntries(
  OPENALEX_FIELDS.map((column) => {
    const imported = column === 'name' ? sql`nullif(excluded.name, ${UNKNOWN_JOURNAL})` : sql.raw(`excluded.${column}`)
    const existing = sql.raw(`existing.${column}`)
    return [
      column,
      sql`case when ${sql.raw(`'${column}'`)} = any(existing.edited_fields) then ${existing} else coalesce(${imported}, ${existing}) end`,
    ]
  }),
) as Record<OpenAlexField, SQL>
const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)

/**
 * Writes sources of OpenAlex, each of which must occur only once, into the catalog: adds new journals, updates changed
 * journals, and skips unchanged journals. A source with the ISSN-L of a journal without an OpenAlex ID updates that journal.
 * Fields that OpenAlex does not have and fields that an admin edited stay unchanged; feed address and description never come
 * from OpenAlex.
 */
export async function upsertSources(
  tx: Tx,
  sources: readonly OpenAlexSource[],
): Promise<{ added: number; updated: number }> {
  if (sources.length === 0) return { added: 0, updated: 0 }
  const given = sql`jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as given(openalex_id text, name text, publisher text,
    issn_l text, works_count int, citations_count int, is_open_access boolean, homepage_url text, h_index int, i10_index int,
    works_api_url text)`
  // Only the oldest of several journals with one ISSN-L, and only if no journal has that OpenAlex ID.
  await tx.execute(sql`
    update journals set openalex_id = found.openalex_id from (
      select distinct on (given.issn_l) given.openalex_id, alone.id
      from ${given} join journals alone on alone.openalex_id is null and alone.issn_l = given.issn_l
      where not exists (select 1 from journals other where other.openalex_key = upper(regexp_replace(given.openalex_id, '^.*/', '')))
      order by given.issn_l, alone.created_at
    ) found where journals.id = found.id`)
  const { rows } = await tx.execute<{ added: number; updated: number }>(sql`
    with written as (
      insert into journals as existing (openalex_id, name, publisher, issn_l, works_count, citations_count, is_open_access, homepage_url,
        h_index, i10_index, works_api_url, last_updated)
      select openalex_id, name, publisher, issn_l, works_count, citations_count, is_open_access, homepage_url, h_index, i10_index,
        works_api_url, now() from ${given}
      on conflict (openalex_key) do update set
        ${list(OPENALEX_FIELDS.map((column) => sql`${sql.raw(column)} = ${merged[column]}`))},
        user_added = false, last_updated = now(), updated_at = now()
      where (${list(OPENALEX_FIELDS.map((column) => sql.raw(`existing.${column}`)))}, existing.user_added)
        is distinct from (${list(OPENALEX_FIELDS.map((column) => merged[column]))}, false)
      returning xmax = 0 as is_new
    ) select (count(*) filter (where is_new))::int as added, (count(*) filter (where not is_new))::int as updated from written`)
  return rows[0]!
}
