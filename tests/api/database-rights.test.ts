import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client as PostgresClient } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { createDatabase, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { createOwner, type Owner, type TestDatabase } from '#tests/helpers/test-database.ts'

/**
 * This file tests the rights that the role of DATABASE_URL needs on a PostgreSQL server, and the message if the server cannot
 * start without them.
 */

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function newOwner(options?: { createRole: boolean }): Promise<Owner> {
  const owner = await createOwner(options)
  stops.push(owner.drop)
  return owner
}

async function newDatabase(options: Parameters<typeof createDatabase>[0]): Promise<TestDatabase> {
  const database = (await createDatabase(options))!
  stops.push(database.drop)
  return database
}

async function start({ url }: TestDatabase): Promise<TestServer> {
  const server = await startServer({ env: { DATABASE_URL: url } })
  stops.push(server.stop)
  return server
}

/** Starts the server, which must fail, and returns its error message. The message must have one line. */
async function refusalOf(database: TestDatabase): Promise<string> {
  const error = await start(database).then(
    () => new Error('It started.'),
    (failure: Error) => failure,
  )
  const [, ...printed] = error.message.trim().split('\n')
  expect(printed, error.message).toHaveLength(1)
  return printed[0]!
}

async function expectToWork(server: TestServer): Promise<void> {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const ada = await signUp(server.url)
  await ada.json(api.projects(), { body: { name: 'Naps' } })
  expect((await ada.json<{ data: unknown[] }>(api.projects())).data).toHaveLength(1)
}

const appRoleOf = async ({ asSuperuser }: TestDatabase) =>
  (await asSuperuser(`select 'lectern_app_' || oid as name from pg_database where datname = current_database()`))[0]![
    'name'
  ] as string

/** Returns the SQL statements that the error message of a failed start tells the operator to run. */
const sqlOf = (refusal: string) => /: ((?:CREATE|GRANT|ALTER) .*;)$/.exec(refusal)![1]!

describe.skipIf(!process.env['TEST_DATABASE_URL'])('a PostgreSQL database (needs a PostgreSQL server)', () => {
  it('The server works for an owner without superuser rights, and for a second installation with another owner on the same cluster', async () => {
    const [first, second] = [
      await newDatabase({ owner: await newOwner() }),
      await newDatabase({ owner: await newOwner() }),
    ]
    await expectToWork(await start(first))
    const server = await start(second)
    await expectToWork(server)
    await server.restart()
    await expectToWork(server)
  })

  it('The server works for an owner without CREATEROLE after the SQL that the refused start prints', async () => {
    const database = await newDatabase({ owner: await newOwner({ createRole: false }) })
    const refusal = await refusalOf(database)
    expect(refusal).toContain(`CREATE ROLE ${await appRoleOf(database)} NOLOGIN; GRANT `)
    await database.asSuperuser(sqlOf(refusal))
    await expectToWork(await start(database))
  })

  it('The server works for owners with and without CREATEROLE after the SQL in README', async () => {
    const [prepare, withoutCreateRole] = [...readFileSync('README.md', 'utf8').matchAll(/```sql\n(.*?)```/gs)].map(
      (block) => block[1]!,
    )
    const inDatabase = prepare!.slice(prepare!.indexOf('\\connect lectern\n') + '\\connect lectern\n'.length)
    expect(prepare).toContain('CREATE DATABASE lectern OWNER lectern;')
    for (const createRole of [true, false]) {
      const owner = await newOwner({ createRole })
      const database = await newDatabase({ owner, hasVector: false })
      await database.asSuperuser(inDatabase)
      if (!createRole) await database.asSuperuser(withoutCreateRole!.replace('TO lectern', `TO ${owner.name}`))
      await expectToWork(await start(database))
    }
  })

  it('The start is refused with the SQL to run when the extension is missing', async () => {
    const database = await newDatabase({ hasVector: false })
    const refusal = await refusalOf(database)
    expect(refusal).toContain(`run as a superuser in the database ${database.name}: CREATE EXTENSION vector;`)
    await database.asSuperuser(sqlOf(refusal))
    await expectToWork(await start(database))
  })

  it('The start is refused when pgvector is too old', async () => {
    const database = await newDatabase({})
    await database.asSuperuser(`update pg_extension set extversion = '0.7.4' where extname = 'vector'`)
    const refusal = await refusalOf(database)
    expect(refusal).toContain('pgvector 0.7.4 is too old')
    expect(sqlOf(refusal)).toBe('ALTER EXTENSION vector UPDATE;')
  })

  it('The start is refused with the SQL to run when another role owns the database', async () => {
    const database = await newDatabase({})
    await database.asSuperuser(`alter database ${database.name} owner to current_user`)
    const refusal = await refusalOf(database)
    expect(sqlOf(refusal)).toMatch(/^ALTER DATABASE /)
    await database.asSuperuser(sqlOf(refusal))
    await expectToWork(await start(database))
  })

  it('The server reports a missing role and a read-only database, and an older program refuses a newer schema', async () => {
    const owner = await newOwner()
    const database = await newDatabase({ owner })
    const server = await start(database)
    const role = await appRoleOf(database)
    await database.asSuperuser(`revoke ${role} from ${owner.name} granted by ${owner.name}`)
    const refused = await fetch(`${server.url}/readyz`)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ failed: ['database'], reasons: { database: 'missing role' } })
    // A start grants it again.
    await server.restart()
    await expectToWork(server)

    // The state after a failover to a standby: the database is read-only.
    const ada = await signUp(server.url)
    await database.asSuperuser(`alter database ${database.name} set default_transaction_read_only = on`)
    await database.asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    const states = async () => (await (await fetch(`${server.url}/readyz`)).json()) as { reasons?: object }
    await expect.poll(states).toMatchObject({ reasons: { database: 'read-only' } })
    const write = await ada.fetch(api.projects(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Later"}',
    })
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await ada.fetch(api.projects())).status).toBe(200)
    const names = await database.asSuperuser(
      `select distinct application_name as name from pg_stat_activity where datname = current_database() and usename = '${owner.name}'`,
    )
    expect(names).toEqual([{ name: 'lectern' }])
    await database.asSuperuser(
      'set session characteristics as transaction read write',
      `alter database ${database.name} reset default_transaction_read_only`,
    )

    // An older program, as after a failed upgrade.
    await server.kill('SIGTERM')
    await database.asSuperuser(
      `insert into drizzle.__drizzle_migrations (hash, created_at) select 'of a newer version', max(created_at) + 1 from drizzle.__drizzle_migrations`,
    )
    expect(await refusalOf(database)).toContain('The database has the schema of a newer version than ')
  })
})

/**
 * Applies the migrations as versions up to 0.1.0 did: with one role for requests, named `role`, for all databases of the
 * cluster.
 */
async function migrateAsBefore(database: TestDatabase, role: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-migrations-'))
  stops.push(async () => rmSync(folder, { recursive: true }))
  cpSync(fileURLToPath(new URL('../../server/db/migrations', import.meta.url)), folder, { recursive: true })
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.sql')))
    writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replaceAll('lectern_app', role))
  const client = new PostgresClient({ connectionString: database.url })
  await client.connect()
  try {
    await migrate(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end()
  }
}

describe.skipIf(!process.env['TEST_DATABASE_URL'])('an installation of an earlier version on PostgreSQL', () => {
  it('An upgraded installation keeps the role of its policies, and the server works with it', async () => {
    const owner = await newOwner()
    const role = `lectern_old_${randomBytes(6).toString('hex')}`
    stops.push(() => asOutside(`drop role ${role}`))
    const database = await newDatabase({ owner })
    await migrateAsBefore(database, role)
    await expectToWork(await start(database))
    const [used] = await database.asSuperuser(
      `select distinct roles::text from pg_policies where schemaname = 'public'`,
    )
    expect(used).toEqual({ roles: `{${role}}` })
    expect(await database.asSuperuser(`select from pg_roles where rolname = '${await appRoleOf(database)}'`)).toEqual(
      [],
    )
  })
})

async function asOutside(statement: string): Promise<void> {
  const client = new PostgresClient({ connectionString: process.env['TEST_DATABASE_URL'] })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
