import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** Returns the size of the database in bytes. */
export async function readDatabaseSize(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ bytes: string }>(sql`select pg_database_size(current_database()) as bytes`)
  return Number(rows[0]?.bytes ?? 0)
}

/** Returns the largest tables of the schema `public`. The size in bytes includes indexes and TOAST data. */
export async function readTableSizes(tx: Tx, limit: number): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await tx.execute<{ name: string; bytes: string }>(sql`
    select relname as name, pg_total_relation_size(pg_class.oid) as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'm') and nspname = 'public'
    order by 2 desc limit ${limit}`)
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}
