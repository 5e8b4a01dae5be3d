import type { ClientBase } from 'pg'

/** A table and its columns, without generated columns, which PostgreSQL computes again on restore. */
export interface StoredTable {
  name: string
  columns: string[]
}

/** Number of rows of a table that are fetched at once. It is small because a row of `documents` can have several megabytes. */
const AT_ONCE = 100

const named = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Returns all tables of the schema `public`. The schema of the job queue is omitted: a restore fills the queue from the table
 * `jobs`.
 */
export async function listTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
      group by c.relname order by c.relname`,
  )
  return rows
}

/**
 * Sends a statement to keep the backup's transaction open, because PostgreSQL ends a transaction that is idle for 30 seconds.
 */
export const touchSnapshot = (client: ClientBase) => client.query('select 1')

/** Returns true if at least one document has a stored file. */
export async function namesFiles(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select exists (select 1 from documents where source_url is not null) as found',
  )
  return rows[0]!.found
}

/** Returns true if a document has the stored file with this key. */
export async function namesFile(client: ClientBase, key: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select exists (select 1 from documents where source_url = $1) as found',
    [key],
  )
  return rows[0]!.found
}

/** Returns every sequence of the schema `public` with its last value, as text. Omits sequences that have never been used. */
export async function listSequences(client: ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by sequencename`,
  )
  return rows
}

/**
 * Begins a read-only `repeatable read` transaction and acquires the shared advisory lock of stored files, so that no stored
 * file is removed before the transaction ends.
 */
export async function beginSnapshot(client: ClientBase): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(`select pg_advisory_xact_lock_shared(hashtext('lectern:files'))`)
}

/** Locks tables against changes of their columns until the transaction of the backup ends. Rows can still change. */
export async function lockTables(client: ClientBase, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`lock table ${tables.map(({ name }) => named(name)).join(', ')} in access share mode`)
}

/** Ends the transaction of a backup. */
export const endSnapshot = (client: ClientBase) => client.query('commit')

/** Yields the rows of a table as NDJSON lines. Fetches AT_ONCE rows at a time. Needs an open transaction. */
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

/** Returns the tables with their columns, and the sequences, that a restore may write to. */
export async function listNames(client: ClientBase): Promise<{ tables: StoredTable[]; sequences: string[] }> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  )
  return { tables: await listTables(client), sequences: rows.map(({ name }) => name) }
}

/** Returns true if the database has at least one account. */
export async function hasAccounts(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select exists (select 1 from "user") as found')
  return rows[0]!.found
}

/**
 * Begins the transaction of a restore: drops foreign keys, disables user triggers and empties all tables, so that rows
 * can be inserted in any order. Returns the statements that add the foreign keys again, for `endFilling`.
 */
export async function beginFilling(client: ClientBase, tables: readonly StoredTable[]): Promise<string[]> {
  await client.query('begin')
  // Checking all foreign keys of a large installation exceeds the timeout of a request.
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

/** Inserts rows into a table. Each of `lines` is a row as a JSON object. */
export async function insertRows(client: ClientBase, table: StoredTable, lines: readonly string[]): Promise<void> {
  const [name, list] = [named(table.name), table.columns.map(named).join(', ')]
  await client.query(
    `insert into ${name} (${list}) overriding system value
     select ${list} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [`[${lines.join(',')}]`],
  )
}

/**
 * Ends the transaction of a restore: sets the sequences, adds the foreign keys with the statements `references` (which checks
 * every reference between rows), enables the triggers, and commits.
 */
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
