import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '#tests/helpers/test-database.ts'

/** This file tests the transactions of the server in this process. */

/** The database to test: PostgreSQL if TEST_DATABASE_URL is set, else the embedded database. */
const KINDS = process.env['TEST_DATABASE_URL'] ? (['PostgreSQL'] as const) : (['embedded'] as const)
const ALICE = { userId: 'alice', isAdmin: false }

describe.each(KINDS)('transactions on the database: %s', (kind) => {
  let folder: string
  let pool: pg.Pool
  let db: typeof import('#server/db/client.ts')
  let close: () => Promise<void>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-transactions-'))
    process.env['DATA_DIR'] = folder
    const created = kind === 'embedded' ? null : await createDatabase()
    if (created) process.env['DATABASE_URL'] = created.url
    else delete process.env['DATABASE_URL']
    db = await import('#server/db/client.ts')
    const opened = await db.openDatabase()
    await (await import('#server/db/migrate.ts')).migrateDatabase()
    pool = opened.pool
    close = async () => {
      await opened.close()
      await created?.drop()
    }
  })

  afterAll(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })

  /**
   * Returns the access that the next statement on a connection of the pool has: whether its role is the owner of the database,
   * and the id of its user.
   */
  const nextAccess = async () =>
    (
      await pool.query(
        `select current_user = session_user as is_owner, current_setting('app.user_id', true) as user_id`,
      )
    ).rows[0]

  it('A request whose first message fails runs no statement, and leaves no transaction or role on a connection', async () => {
    const opened = db.database()
    const { appRole } = opened
    opened.appRole = 'role_that_does_not_exist'
    let hasRun = false
    const work = async () => void (hasRun = true)
    const error: unknown = await db.asActor(ALICE, work).catch((failure: unknown) => failure)
    opened.appRole = appRole
    expect(db.isDatabaseUnavailable(error)).toBe(true)
    expect(hasRun).toBe(false)
    expect(await nextAccess()).toMatchObject({ is_owner: true })
    expect(await db.asActor(ALICE, (tx) => tx.execute(sql`select app_user_id() as id`))).toMatchObject({
      rows: [{ id: 'alice' }],
    })
  })

  it('Values in the first message of a transaction are not executed as SQL', async () => {
    const userId = `x', true); reset role; select set_config('app.user_id', 'bob`
    const { rows } = await db.asActor({ userId, isAdmin: false }, (tx) =>
      tx.execute(sql`select app_user_id() as id, current_user = session_user as is_owner`),
    )
    expect(rows).toEqual([{ id: userId, is_owner: false }])
  })

  it('A statement of a transaction that has ended is refused, so it has no rights of the owner or of another user', async () => {
    let late: Promise<unknown> | undefined
    let next: () => void = () => {}
    const ended = new Promise<void>((resolve) => (next = resolve))
    const failed = db.asActor(ALICE, async (tx) => {
      late = ended.then(() => tx.execute(sql`select count(*) from profiles`))
      throw new Error('One part failed.')
    })
    await expect(failed).rejects.toThrow('One part failed.')
    next()
    await expect(late).rejects.toMatchObject({ cause: { message: expect.stringContaining('after the end') } })
  })

  it('A transaction that hides the failure of a statement is an error, because the database rolls it back', async () => {
    const hidden = db.asSystem(async (tx) => {
      await tx.execute(sql`insert into "user" (id, name, email) values ('hidden', 'Hidden', 'hidden@example.org')`)
      await tx.execute(sql`select 1 / 0`).catch(() => undefined)
      return 'stored'
    })
    await expect(hidden).rejects.toThrow('cannot be committed')
    expect((await pool.query(`select 1 from "user" where id = 'hidden'`)).rows).toEqual([])
    expect(await nextAccess()).toMatchObject({ is_owner: true })
  })

  it.skipIf(kind === 'embedded')(
    'A prepared statement that a pooler discarded, or whose columns changed, fails once',
    async () => {
      const { asActor } = db
      const prepared = () =>
        asActor(ALICE, (tx) =>
          tx
            .select({ id: sql`id` })
            .from(sql`prepared_things`)
            .prepare('things_of_test')
            .execute(),
        )
      await pool.query('create table prepared_things (id integer)')
      await pool.query('grant select on prepared_things to public')
      await prepared()
      await pool.query('discard all')
      await expect(prepared()).rejects.toMatchObject({ cause: { code: '26000' } })
      expect(await prepared()).toEqual([])
      await pool.query('alter table prepared_things alter column id type text')
      await expect(prepared()).rejects.toMatchObject({ cause: { code: '0A000' } })
      expect(await prepared()).toEqual([])
    },
  )
})
