import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** Bytes of the whole database on its disk. */
export async function readDatabaseSize(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ bytes: string }>(sql`select pg_database_size(current_database()) as bytes`)
  return Number(rows[0]?.bytes ?? 0)
}

/** The largest tables with their indexes and long texts, of every schema of the product. */
export async function readTableSizes(tx: Tx, limit: number): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await tx.execute<{ name: string; bytes: string }>(sql`
    select relname as name, pg_total_relation_size(pg_class.oid) as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'm') and nspname = 'public'
    order by 2 desc limit ${limit}`)
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}
