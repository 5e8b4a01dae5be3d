import { inArray, sql } from 'drizzle-orm'
import { takeAppRole, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'

/** One cheap query for each component in the database. */
export const checkQueries = {
  /** Also checks that the server can assume the role of requests. */
  database: (tx: Tx): Promise<void> => takeAppRole(tx, ''),
  queue: async (tx: Tx): Promise<void> => void (await tx.execute(sql`select 1 from pgboss.version`)),
}

/** Counts queued and running jobs by kind and status. */
export const countOpenJobs = (tx: Tx) =>
  tx
    .select({ kind: jobs.kind, status: jobs.status, count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(inArray(jobs.status, ['queued', 'running']))
    .groupBy(jobs.kind, jobs.status)
