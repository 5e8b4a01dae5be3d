import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { queryAt } from './connections.ts'

/** A PostgreSQL role that owns databases and has no superuser rights, as README describes. */
export interface Owner {
  name: string
  password: string
  drop: () => Promise<void>
}

/** A database for one test on the server of TEST_DATABASE_URL. */
export interface TestDatabase {
  name: string
  /** The address of the database with the name and password of its owner. */
  url: string
  /** Runs statements in the database as the superuser of TEST_DATABASE_URL. Returns the rows of the last statement. */
  asSuperuser: (...statements: string[]) => Promise<Record<string, unknown>[]>
  /** Deletes the database, and the role that the server has created for the requests to it. */
  drop: () => Promise<void>
}

interface DatabaseOptions {
  /** The name of the database to copy. Default: an empty database with the extension `vector`. */
  template?: string | undefined
  /** The role that owns the database. Default: the owner of the test run. */
  owner?: Owner
  /** If false, the new database does not have the extension `vector`. */
  hasVector?: boolean
}

/** Names of the environment variables that pass the owner role and the template database to the processes of the test files. */
export const RUN_OWNER = 'TEST_DATABASE_OWNER'
export const RUN_TEMPLATE = 'TEST_DATABASE_TEMPLATE'

/** The SQLSTATE of DROP ROLE while a database still depends on the role. */
const STILL_NEEDED = '2BP01'

/**
 * Creates a role that can log in. It can also create roles unless `createRole` is false. Needs a superuser in
 * TEST_DATABASE_URL.
 */
export async function createOwner({ createRole = true } = {}): Promise<Owner> {
  const name = `lectern_owner_${randomBytes(8).toString('hex')}`
  const password = randomBytes(16).toString('hex')
  await onServer(`create role ${name} login ${createRole ? 'createrole' : ''} password '${password}'`)
  return { name, password, drop: () => dropRole(name) }
}

/**
 * Creates a database with a random name on the server of TEST_DATABASE_URL. Its owner is a role without superuser rights.
 * Returns null if TEST_DATABASE_URL is not set. Several test runs can use the server at the same time.
 */
export async function createDatabase(options: DatabaseOptions = {}): Promise<TestDatabase | null> {
  if (!process.env['TEST_DATABASE_URL']) return null
  const owner = options.owner ?? runOwner() ?? (await createOwner())
  const isOwnOwner = !options.owner && !runOwner()
  const name = `lectern_test_${randomBytes(8).toString('hex')}`
  await onServer(
    // A copy of the files takes half the processor time of the default, which writes each page to the log.
    `create database ${name} owner ${owner.name} template ${options.template ?? 'template1'} strategy file_copy`,
  )
  if (!options.template && options.hasVector !== false) await asSuperuser(name, 'create extension vector')
  const [{ oid }] = (await onServer(`select oid from pg_database where datname = '${name}'`)) as [{ oid: number }]
  const address = new URL(process.env['TEST_DATABASE_URL'])
  Object.assign(address, { pathname: `/${name}`, username: owner.name, password: owner.password })
  return {
    name,
    url: address.href,
    asSuperuser: (...statements) => asSuperuser(name, ...statements),
    drop: async () => {
      await onServer(`drop database if exists ${name} with (force)`)
      await dropRole(`lectern_app_${oid}`)
      if (isOwnOwner) await owner.drop()
    },
  }
}

function runOwner(): Owner | undefined {
  const [name, password] = process.env[RUN_OWNER]?.split(':') ?? []
  return name && password ? { name, password, drop: async () => {} } : undefined
}

/** Runs a statement in the database of TEST_DATABASE_URL, as its superuser. Returns the rows. */
const onServer = (statement: string) => queryAt(process.env['TEST_DATABASE_URL']!, statement)

/**
 * Runs statements as the superuser in the given database. Returns the rows of the last statement. Closes the connection at the
 * end, because PostgreSQL cannot copy a database that has open connections.
 */
async function asSuperuser(database: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const address = new URL(process.env['TEST_DATABASE_URL']!)
  address.pathname = `/${database}`
  const client = new Client({ connectionString: address.href })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Deletes a role. Does nothing if a database still depends on the role, such as the database of a killed test. */
async function dropRole(name: string): Promise<void> {
  await onServer(`drop role if exists ${name}`).catch((error: { code?: string }) => {
    if (error.code !== STILL_NEEDED) throw error
  })
}
