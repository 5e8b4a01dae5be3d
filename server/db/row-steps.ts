import type { ClientBase } from 'pg'
import { fillReferences, type ReportRows } from './fill-references.ts'

/** Number of rows in each transaction. */
const AT_ONCE = 10_000

/**
 * Steps that change many rows, by the name of the migration before which they must be complete. A step runs in many
 * transactions, after all earlier migrations are committed. If the process is killed, only one batch is lost.
 */
export const ROW_STEPS: Readonly<Record<string, (client: ClientBase, report: ReportRows) => Promise<void>>> = {
  '0050_project_access': fillChunkProjects,
  '0068_reference_records': fillReferences,
}

/**
 * Copies `project_id` of each document to its chunks and sentences. After an interruption, continues after the last committed
 * batch.
 */
async function fillChunkProjects(client: ClientBase, report: ReportRows): Promise<void> {
  await client.query(
    `create table if not exists drizzle.row_steps (name text primary key, last_id uuid, done bigint not null default 0)`,
  )
  const tables = ['chunks', 'chunk_sentences']
  for (const table of tables)
    await client.query('insert into drizzle.row_steps (name) values ($1) on conflict do nothing', [table])
  const total = await sum(client, `select ${tables.map((table) => `(select count(*) from ${table})`).join(' + ')} as n`)
  for (const table of tables)
    while (await fillBatch(client, table))
      report(await sum(client, 'select sum(done) as n from drizzle.row_steps'), total)
}

/** Fills the next rows in the order of their ids, and stores the last id. Returns false when no rows are left. */
async function fillBatch(client: ClientBase, table: string): Promise<boolean> {
  // The lock makes a concurrent move of a document wait, which then updates its rows itself.
  const { rows } = await client.query<{ count: number }>(
    `with batch as materialized (
       select t.id, d.project_id from ${table} t join documents d on d.id = t.document_id
       where t.id > coalesce((select last_id from drizzle.row_steps where name = $1), '00000000-0000-0000-0000-000000000000')
       order by t.id limit ${AT_ONCE} for share of d
     ), filled as (
       update ${table} t set project_id = batch.project_id from batch
       where t.id = batch.id and t.project_id is distinct from batch.project_id
     ), counted as (select count(*)::int as count, (select id from batch order by id desc limit 1) as last_id from batch)
     update drizzle.row_steps s set last_id = coalesce(counted.last_id, s.last_id), done = s.done + counted.count
       from counted where s.name = $1 returning counted.count`,
    [table],
  )
  return rows[0]!.count > 0
}

async function sum(client: ClientBase, text: string): Promise<number> {
  const { rows } = await client.query<{ n: string }>(text)
  return Number(rows[0]!.n)
}
