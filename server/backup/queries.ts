import type { ClientBase } from 'pg'

/** A table of ours with the columns that hold something of their own: generated ones are made again. */
export interface StoredTable {
  name: string
  columns: string[]
}

/** Rows fetched at once: documents may be some megabytes each. */
const AT_ONCE = 100

const named = (name: string) => `"${name.replaceAll('"', '""')}"`

/** All tables of the schema `public`. The queue's own tables are not among them: it is filled again from `jobs`. */
export async function listTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
      group by c.relname order by c.relname`,
  )
  return rows
}

/** Says that the transaction is still needed: one that is idle for half a minute is ended. */
export const touchSnapshot = (client: ClientBase) => client.query('select 1')

/** Whether a document names a stored file. */
export async function namesFiles(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select exists (select 1 from documents where source_url is not null) as found',
  )
  return rows[0]!.found
}

/** Every sequence of the schema with its last value, as text; one that was never used is left out. */
export async function listSequences(client: ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by sequencename`,
  )
  return rows
}

/**
 * Begins a transaction that sees one moment of the database, and keeps files from being removed until it ends: what the
 * rows of that moment name is still there when it is copied.
 */
export async function beginSnapshot(client: ClientBase): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(`select pg_advisory_xact_lock_shared(hashtext('lectern:files'))`)
}

export const endSnapshot = (client: ClientBase) => client.query('commit')

/** The rows of a table as lines of JSON, a few at a time. Only inside a transaction. */
export async function* readRows(client: ClientBase, { name, columns }: StoredTable): AsyncGenerator<string> {
  const list = columns.map(named).join(', ')
  await client.query(
    `declare stored_rows no scroll cursor for select row_to_json(t)::text as line from (select ${list} from ${named(name)}) t`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${AT_ONCE} from stored_rows`)
    for (const { line } of rows) yield `${line}\n`
    if (rows.length < AT_ONCE) break
  }
  await client.query('close stored_rows')
}

/** What a backup may fill: the tables with their columns, and the sequences. */
export async function listNames(client: ClientBase): Promise<{ tables: StoredTable[]; sequences: string[] }> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  )
  return { tables: await listTables(client), sequences: rows.map(({ name }) => name) }
}

/** True where people, and so their work, are in the database. */
export async function hasAccounts(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select exists (select 1 from "user") as found')
  return rows[0]!.found
}

/**
 * Begins the transaction that fills all tables anew: references and triggers are out of the way until `endFilling`, so
 * that rows can come in any order.
 */
export async function beginFilling(client: ClientBase, tables: readonly StoredTable[]): Promise<string[]> {
  await client.query('begin')
  // Checking every reference of a large installation takes longer than any request may.
  await client.query('set local statement_timeout = 0')
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  for (const { drop } of rows) await client.query(drop)
  for (const { name } of tables) await client.query(`alter table ${named(name)} disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => named(name)).join(', ')}`)
  return rows.map(({ add }) => add)
}

/** Puts lines of JSON into a table. */
export async function insertRows(client: ClientBase, table: StoredTable, lines: readonly string[]): Promise<void> {
  const [name, list] = [named(table.name), table.columns.map(named).join(', ')]
  await client.query(
    `insert into ${name} (${list}) overriding system value
     select ${list} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [`[${lines.join(',')}]`],
  )
}

/** Puts references and triggers back, which checks every reference, sets the sequences, and commits. */
export async function endFilling(
  client: ClientBase,
  tables: readonly StoredTable[],
  references: readonly string[],
  sequences: readonly { name: string; value: string }[],
): Promise<void> {
  for (const { name, value } of sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [named(name), value])
  for (const add of references) await client.query(add)
  for (const { name } of tables) await client.query(`alter table ${named(name)} enable trigger user`)
  await client.query('commit')
}

/** Jobs that were waiting or being done at the moment of the backup. */
export async function listOpenJobs(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`select id::text from jobs where status in ('queued', 'running')`)
  return rows.map(({ id }) => id)
}
