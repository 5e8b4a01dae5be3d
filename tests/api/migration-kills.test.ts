import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, it, vi } from 'vitest'
import { applyMigrations } from '#server/db/apply-migrations.ts'
import { createDatabase } from '#tests/helpers/server.ts'

const PROGRAM = fileURLToPath(new URL('migrate-process.ts', import.meta.url))
const BATCH = 10_000
const BATCHES = 6

/**
 * SQL that inserts BATCHES documents with BATCH chunks each. The migration processes the chunks in the order of their ids, so
 * the chunks of one document are one batch.
 */
const FILL = `
  insert into "user" (id, name, email) values ('ann', 'Ann', 'ann@example.org');
  insert into projects (id, owner_id, name) select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'ann', 'P' || n
    from generate_series(0, ${BATCHES - 1}) n;
  insert into documents (id, owner_id, project_id, filename)
    select ('00000000-0000-4000-9000-00000000000' || n)::uuid, 'ann', ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'a.pdf'
    from generate_series(0, ${BATCHES - 1}) n;
  insert into chunks (id, document_id, owner_id, position, content, page_number, page_offset, is_reference, model, dimension)
    select lpad(to_hex(n + 1), 32, '0')::uuid, ('00000000-0000-4000-9000-00000000000' || n / ${BATCH})::uuid, 'ann',
      n % ${BATCH}, 'c', 1, 0, false, 'm', 0
    from generate_series(0, ${BATCH * BATCHES - 1}) n`

/** SQL that counts the statements of this database that wait for a lock. */
const WAITING = `select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and a.datname = current_database()`

/**
 * The test locks the document of one batch, so that the migration waits in this batch, and kills the migration there. Each run
 * uses another batch. Needs a PostgreSQL server for the lock.
 */
it.skipIf(!process.env['TEST_DATABASE_URL'])(
  'A migration that changes many rows continues after each of five kills, and loses no row',
  async () => {
    const database = (await createDatabase())!
    const dataDir = await mkdtemp(join(tmpdir(), 'lectern-kills-'))
    const client = new Client({ connectionString: database.url })
    const locking = new Client({ connectionString: database.url })
    await Promise.all([client.connect(), locking.connect()])
    let child: ChildProcess | undefined
    const start = () => {
      const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' }
      child = spawn(process.execPath, [PROGRAM], { env, cwd: dataDir, stdio: ['ignore', 'ignore', 'inherit'] })
      return new Promise<number | null>((ended) => child!.once('exit', ended))
    }
    const count = async (sql: string) => (await client.query<{ n: number }>(`select (${sql})::int as n`)).rows[0]!.n
    try {
      await applyMigrations(client, '0044_vector_renewal')
      await client.query(FILL)
      await applyMigrations(client, '0049_upload_rules')
      for (let batch = 1; batch < BATCHES; batch += 1) {
        await locking.query('begin')
        await locking.query(
          `select from documents where id = ('00000000-0000-4000-9000-00000000000' || $1)::uuid for update`,
          [batch],
        )
        const ended = start()
        await vi.waitFor(async () => expect(await count(WAITING)).toBe(1), { timeout: 60_000 })
        child!.kill('SIGKILL')
        expect(await ended).toBeNull()
        // A killed client's statement would otherwise complete in the server when it gets the lock.
        await client.query(
          `select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where not l.granted and a.datname = current_database()`,
        )
        await vi.waitFor(async () => expect(await count(WAITING)).toBe(0), { timeout: 60_000 })
        await locking.query('rollback')
        expect(await count('select sum(done) from drizzle.row_steps')).toBe(batch * BATCH)
        expect(await count('select count(*) from chunks where project_id is not null')).toBe(batch * BATCH)
      }
      expect(await start()).toBe(0)
      expect(await count('select sum(done) from drizzle.row_steps')).toBe(BATCHES * BATCH)
      expect(
        await count(
          'select count(*) from chunks c join documents d on d.id = c.document_id and d.project_id = c.project_id',
        ),
      ).toBe(BATCHES * BATCH)
      expect(await count(`select count(*) from project_members where role = 'owner'`)).toBe(BATCHES)
    } finally {
      child?.kill('SIGKILL')
      await Promise.all([client.end(), locking.end()])
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
  240_000,
)
