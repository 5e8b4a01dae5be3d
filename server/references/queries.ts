import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'

/**
 * Returns true if another import runs that began earlier, of the same user or into the same project: a user has one import
 * at a time, and two imports of the same paper must see each other. Needs the role of the table owner.
 */
export async function findEarlierImport(tx: Tx, jobId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from ${jobs} own join ${jobs} other on other.kind = own.kind and other.status = 'running' and other.id <> own.id
      and (other.created_by = own.created_by or other.project_id = own.project_id)
      and (other.started_at, other.id) < (own.started_at, own.id)
    where own.id = ${jobId}::uuid limit 1`)
  return rows.length > 0
}
