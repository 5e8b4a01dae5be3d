import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A role that owns databases, as README tells an operator to make one: no superuser. */
export interface Owner {
  name: string
  password: string
  drop: () => Promise<void>
}

/** A database of its own on the server of TEST_DATABASE_URL. */
export interface TestDatabase {
  name: string
  /** Its address for its owner. */
  url: string
  /** Runs statements in it as the superuser of TEST_DATABASE_URL. */
  asSuperuser: (...statements: string[]) => Promise<Record<string, unknown>[]>
  /** Removes it with the role that its requests ran as. */
  drop: () => Promise<void>
}

interface DatabaseOptions {
  /** The database to copy; an empty one with the extension `vector` without it. */
  template?: string | undefined
  /** Its owner; by default the owner of the run. */
  owner?: Owner
  /** False: an empty database without extensions. */
  hasVector?: boolean
}

/** Where a test run notes its owner and its template, for the processes that run the test files. */
export const RUN_OWNER = 'TEST_DATABASE_OWNER'
export const RUN_TEMPLATE = 'TEST_DATABASE_TEMPLATE'

/** SQLSTATE of DROP ROLE while another database still names the role. */
const STILL_NEEDED = '2BP01'

/** Makes a role that may log in, and create roles unless `createRole` is false. Needs TEST_DATABASE_URL of a superuser. */
export async function createOwner({ createRole = true } = {}): Promise<Owner> {
  const name = `lectern_owner_${randomBytes(8).toString('hex')}`
  const password = randomBytes(16).toString('hex')
  await asSuperuser(undefined, `create role ${name} login ${createRole ? 'createrole' : ''} password '${password}'`)
  return { name, password, drop: () => dropRole(name) }
}

/**
 * A database with a random name on the server of TEST_DATABASE_URL, which belongs to an ordinary owner; null where that is
 * not set. Several test runs may use the server at the same time.
 */
export async function createDatabase(options: DatabaseOptions = {}): Promise<TestDatabase | null> {
  if (!process.env['TEST_DATABASE_URL']) return null
  const owner = options.owner ?? runOwner() ?? (await createOwner())
  const isOwnOwner = !options.owner && !runOwner()
  const name = `lectern_test_${randomBytes(8).toString('hex')}`
  await asSuperuser(
    undefined,
    `create database ${name} owner ${owner.name} template ${options.template ?? 'template1'}`,
  )
  if (!options.template && options.hasVector !== false) await asSuperuser(name, 'create extension vector')
  const [{ oid }] = (await asSuperuser(name, 'select oid from pg_database where datname = current_database()')) as [
    { oid: number },
  ]
  const address = new URL(process.env['TEST_DATABASE_URL'])
  Object.assign(address, { pathname: `/${name}`, username: owner.name, password: owner.password })
  return {
    name,
    url: address.href,
    asSuperuser: (...statements) => asSuperuser(name, ...statements),
    drop: async () => {
      await asSuperuser(undefined, `drop database if exists ${name} with (force)`)
      await dropRole(`lectern_app_${oid}`)
      if (isOwnOwner) await owner.drop()
    },
  }
}

function runOwner(): Owner | undefined {
  const [name, password] = process.env[RUN_OWNER]?.split(':') ?? []
  return name && password ? { name, password, drop: async () => {} } : undefined
}

/** Runs statements as the superuser, in a database or in that of TEST_DATABASE_URL; returns the rows of the last one. */
async function asSuperuser(database: string | undefined, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const address = new URL(process.env['TEST_DATABASE_URL']!)
  if (database) address.pathname = `/${database}`
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

/** A role that a database still names, left by a test that was killed, stays. */
async function dropRole(name: string): Promise<void> {
  await asSuperuser(undefined, `drop role if exists ${name}`).catch((error: { code?: string }) => {
    if (error.code !== STILL_NEEDED) throw error
  })
}
