import { inArray, sql } from 'drizzle-orm'
import { takeAppRole, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'

/** One cheap question to each part that lives in the database. */
export const checkQueries = {
  /** Also proves that the server can take the role that requests run as. */
  database: (tx: Tx): Promise<void> => takeAppRole(tx, ''),
  queue: async (tx: Tx): Promise<void> => void (await tx.execute(sql`select 1 from pgboss.version`)),
}

/** How many jobs wait or run, by kind and status. */
export const countOpenJobs = (tx: Tx) =>
  tx
    .select({ kind: jobs.kind, status: jobs.status, count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(inArray(jobs.status, ['queued', 'running']))
    .groupBy(jobs.kind, jobs.status)
