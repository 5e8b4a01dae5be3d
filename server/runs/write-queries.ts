import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { apiKeys } from '#server/db/tables/keys.ts'
import { runs } from '#server/db/tables/runs.ts'

/** Time after which a server that has not reported its runs (recorded analyses or answers) counts as stopped. */
const SILENT = sql`interval '3 minutes'`

/**
 * Serializes the starts of runs (recorded analyses or answers) of a project, because each run gets the next number (advisory
 * lock, released at the end of the transaction).
 */
async function lockNumbers(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lectern:runs:${projectId}`}, 0))`)
}

/**
 * Inserts a run (a recorded analysis or answer) with the status 'running' and the next number of its project. Must run as the
 * database role that owns the tables.
 */
export async function insertRun(
  tx: Tx,
  row: Omit<typeof runs.$inferInsert, 'number'>,
): Promise<{ id: string; number: number }> {
  await lockNumbers(tx, row.project_id)
  const [last] = await tx
    .select({ number: sql<number>`coalesce(max(${runs.number}), 0)::int` })
    .from(runs)
    .where(eq(runs.project_id, row.project_id))
  const [inserted] = await tx
    .insert(runs)
    .values({ ...row, number: last!.number + 1 })
    .returning({ id: runs.id, number: runs.number })
  return inserted!
}

/**
 * Stores the outcome of a run (a recorded analysis or answer). If the run used the output of another run (`source_id`), copies
 * the values of that other run. Returns false if the run has already ended. Must run as the database role that owns the tables.
 */
export async function endRunRow(tx: Tx, id: string, change: Partial<typeof runs.$inferInsert>): Promise<boolean> {
  const source = change.source_id
    ? sql`(select source."values" from runs source where source.id = ${change.source_id})`
    : undefined
  const { rowCount } = await tx
    .update(runs)
    .set({ ...change, ...(source ? { values: source } : {}), ended_at: sql`now()` })
    .where(and(eq(runs.id, id), eq(runs.status, 'running')))
  return rowCount === 1
}

/**
 * Stores the current time with the runs (recorded analyses or answers) of this process, which shows that they are still
 * running. Must run as the database role that owns the tables.
 */
export async function touchRuns(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .update(runs)
    .set({ alive_at: sql`now()` })
    .where(and(inArray(runs.id, [...ids]), eq(runs.status, 'running')))
}

/**
 * Sets the status of running runs (recorded analyses or answers) to 'failed' if the server that executed them has stopped, and
 * returns the number of these runs. `own` has the ids of the runs of this process. If `isAlone` is true, no other server uses
 * the database, so all other runs have stopped. Must run as the database role that owns the tables.
 */
export async function failSilentRuns(
  tx: Tx,
  { own, isAlone, error }: { own: readonly string[]; isAlone: boolean; error: string },
): Promise<number> {
  const { rowCount } = await tx
    .update(runs)
    .set({ status: 'failed', error, ended_at: sql`now()` })
    .where(
      and(
        eq(runs.status, 'running'),
        isAlone ? undefined : sql`${runs.alive_at} < now() - ${SILENT}`,
        own.length > 0 ? notInArray(runs.id, [...own]) : undefined,
      ),
    )
  return rowCount ?? 0
}

/**
 * Hides runs (recorded analyses or answers) from other members, or shows them again if `is_private` is false. Of the runs with
 * the given ids, changes only those that the user `userId` started. Must run as the database role that owns the tables.
 */
export async function updatePrivacy(
  tx: Tx,
  userId: string,
  ids: readonly string[],
  is_private: boolean,
): Promise<void> {
  await tx
    .update(runs)
    .set({ is_private })
    .where(and(inArray(runs.id, [...ids]), eq(runs.created_by, userId)))
}

/**
 * Returns the name of the API key `id`; null if the user has no such key. Must run as the database role that owns the tables.
 */
export async function findKeyName(tx: Tx, userId: string, id: string): Promise<string | null> {
  const [key] = await tx
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.user_id, userId)))
  return key?.name ?? null
}
