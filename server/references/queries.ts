import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'

/**
 * Returns true if an import that began earlier is still running, for the same user or into the same project. A user may run
 * only one import at a time, and of two imports into a project the second must find the papers of the first. Must run as the
 * database role that owns the tables.
 */
export async function findEarlierImport(tx: Tx, jobId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from ${jobs} own join ${jobs} other on other.kind = own.kind and other.status = 'running' and other.id <> own.id
      and (other.created_by = own.created_by or other.project_id = own.project_id)
      and (other.started_at, other.id) < (own.started_at, own.id)
    where own.id = ${jobId}::uuid limit 1`)
  return rows.length > 0
}
