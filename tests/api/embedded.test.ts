import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Bridge } from '#server/db/embedded/bridge.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/db/embedded/index.ts'
import { openEmbedded } from '#server/db/embedded/open-database.ts'

const onServer = process.env['TEST_DATABASE_URL'] !== undefined
if (onServer)
  console.warn(
    'tests/api/embedded.test.ts is skipped: TEST_DATABASE_URL names a PostgreSQL server, and these are tests of the embedded database.',
  )

const WRITER = fileURLToPath(new URL('embedded-writer.ts', import.meta.url))
/** Time limit of each test in ms. Some tests start a dozen processes one after another. */
vi.setConfig({ testTimeout: 180_000 })

const folders: string[] = []
const emptyFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  folders.push(folder)
  return folder
}
let created = ''
/** Returns a new folder with a database. It is a copy, because the creation of a database takes seconds. */
const newFolder = async () => {
  const folder = await emptyFolder()
  await cp(created, folder, { recursive: true })
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** Starts embedded-writer.ts on a folder. `lines` receives the lines that it prints. */
function startWriter(folder: string, mode: 'hold' | 'write' | 'break') {
  const child: ChildProcess = spawn(process.execPath, [WRITER, folder, mode], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let rest = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
  })
  let errors = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  return { child, lines, exited, errors: () => errors }
}

async function until(isSo: () => boolean | Promise<boolean>, limitMs = 240_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('It did not happen in time.')
    await new Promise((resume) => setTimeout(resume, 10))
  }
}

describe.skipIf(onServer)('the embedded database', () => {
  let database: EmbeddedDatabase
  let pool: Pool

  beforeAll(async () => {
    created = await emptyFolder()
    await startEmbeddedDatabase({ dataDir: created }).then((first) => first.stop())
    database = await startEmbeddedDatabase({ dataDir: await newFolder() })
    pool = new Pool({ ...database.connection, max: 10 })
    await pool.query('create table account (name text primary key, amount int not null check (amount >= 0))')
    await pool.query(`insert into account select 'a' || n, 1000 from generate_series(1, 6) n`)
  })
  afterAll(async () => {
    await pool.end()
    await database.stop()
  })

  const connect = async () => {
    const client = new Client(database.connection)
    // The database ends this connection on purpose.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  it('The embedded database answers sixty interleaved queries over several connections, including transactions', async () => {
    const one = async (n: number) => {
      if (n % 3 === 0) return (await pool.query<{ n: number }>('select $1::int as n', [n])).rows[0]!.n
      if (n % 3 === 1) return (await pool.query<{ n: number }>(`select ${n} as n, pg_sleep(0.001)`)).rows[0]!.n
      const client = await pool.connect()
      await client.query('begin')
      await client.query('update account set amount = amount - 1 where name = $1', [`a${(n % 6) + 1}`])
      await new Promise((resume) => setTimeout(resume, 1))
      await client.query('update account set amount = amount + 1 where name = $1', [`a${((n + 1) % 6) + 1}`])
      const { rows } = await client.query<{ n: number }>('select $1::int as n', [n])
      await client.query('commit')
      client.release()
      return rows[0]!.n
    }
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    expect(await Promise.all(numbers.map(one))).toEqual(numbers)
    expect((await pool.query('select sum(amount)::int as sum from account')).rows).toEqual([{ sum: 6000 }])
  })

  it('A transaction has the embedded database exclusively: other queries wait and see all of it or nothing', async () => {
    const writer = await pool.connect()
    await writer.query('begin')
    await writer.query(`update account set amount = amount - 500 where name = 'a1'`)
    const reading = pool.query(`select sum(amount)::int as sum from account`)
    await writer.query(`update account set amount = amount + 500 where name = 'a2'`)
    await writer.query('commit')
    writer.release()
    expect((await reading).rows).toEqual([{ sum: 6000 }])
  })

  it('The embedded database works for all connections after an error inside a transaction', async () => {
    const client = await connect()
    await client.query('begin')
    await client.query(`insert into account values ('lost', 1)`)
    await expect(client.query('select * from nowhere')).rejects.toMatchObject({ code: '42P01' })
    const other = pool.query(`select count(*)::int as n from account where name = 'lost'`)
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await client.query('rollback')
    expect((await other).rows).toEqual([{ n: 0 }])
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await expect(client.query('update account set amount = $1', [-1])).rejects.toMatchObject({ code: '23514' })
    expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }])
    await client.end()
  })

  it('The embedded database works with transactions of drizzle, also nested and failing ones', async () => {
    const db = drizzle(pool)
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into account values ('outer', 1)`)
        await expect(
          tx.transaction((inner) => inner.execute(sql`insert into account values ('outer', 2)`)),
        ).rejects.toThrow()
        await tx.execute(sql`insert into account values ('inner', 2)`)
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    const { rows } = await db.execute(sql`select name from account where name in ('outer', 'inner')`)
    expect(rows).toEqual([])
  })

  it('The embedded database separates prepared statements with the same name', async () => {
    const [first, second] = [await connect(), await connect()]
    const ask = (client: Client, text: string) => client.query({ name: 'same', text, values: [20] })
    expect((await ask(first, 'select $1::int + 1 as n')).rows).toEqual([{ n: 21 }])
    expect((await ask(second, 'select $1::int * 2 as n')).rows).toEqual([{ n: 40 }])
    expect((await ask(first, 'select $1::int + 1 as n')).rows).toEqual([{ n: 21 }])
    await first.end()
    expect((await ask(second, 'select $1::int * 2 as n')).rows).toEqual([{ n: 40 }])
    await second.end()
    await until(async () => (await pool.query('select 1 from pg_prepared_statements')).rowCount === 0)
  })

  it('The embedded database rolls back an open transaction of a lost connection, and drops its remaining messages', async () => {
    const client = await connect()
    await client.query('begin')
    await client.query(`insert into account values ('vanished', 1)`)
    const waiting = connect().then(async (second) => {
      const { rows } = await second.query(`select count(*)::int as n from account where name = 'vanished'`)
      await second.end()
      return rows
    })
    ;(client as unknown as { connection: { stream: net.Socket } }).connection.stream.destroy()
    expect(await waiting).toEqual([{ n: 0 }])
  })

  it('The embedded database delivers notifications to the connections that listen, and to no other', async () => {
    const [listener, second, deaf] = [await connect(), await connect(), await connect()]
    const heard: string[] = []
    listener.on('notification', ({ channel, payload }) => heard.push(`first ${channel} ${payload}`))
    second.on('notification', ({ channel, payload }) => heard.push(`second ${channel} ${payload}`))
    deaf.on('notification', () => heard.push('deaf'))
    await listener.query('listen news')
    await second.query('LISTEN "news"')
    await pool.query(`select pg_notify('news', 'one')`)
    await until(() => heard.length === 2)
    expect(heard.toSorted()).toEqual(['first news one', 'second news one'])

    const writer = await pool.connect()
    await writer.query('begin')
    await writer.query(`select pg_notify('news', 'undone')`)
    await writer.query('rollback')
    writer.release()
    // After one client has stopped listening, the other still receives notifications.
    await second.query('unlisten news')
    await pool.query(`notify news, 'two'`)
    await until(() => heard.length === 3)
    await second.end()
    await pool.query(`notify news, 'three'`)
    await until(() => heard.length === 4)
    expect(heard.slice(2)).toEqual(['first news two', 'first news three'])
    await listener.end()
    await deaf.end()
  })

  it('A setting ends with its transaction, because the next transaction belongs to another user', async () => {
    const client = await pool.connect()
    await client.query('create role reader')
    await client.query('set role reader')
    await client.query(`select set_config('app.user_id', $1, $2)`, ['anna', false])
    client.release()
    const { rows } = await pool.query(`select current_user::text as name, current_setting('app.user_id', true) as id`)
    expect(rows).toEqual([{ name: 'postgres', id: '' }])
    const local = await pool.connect()
    await local.query('begin')
    await local.query(`select set_config('role', 'reader', true), set_config('app.user_id', 'anna', true)`)
    expect((await local.query('select current_user::text as name')).rows).toEqual([{ name: 'reader' }])
    await local.query('commit')
    expect((await local.query('select current_user::text as name')).rows).toEqual([{ name: 'postgres' }])
    local.release()
  })

  it('The embedded database refuses unsupported features with a clear message', async () => {
    const client = await connect()
    await expect(client.query('copy account from stdin')).rejects.toThrow(/not available with the embedded database/)
    await expect(client.query('discard all')).rejects.toMatchObject({ code: '0A000' })
    expect((await client.query(`select 'copy a from stdin' as text`)).rows).toEqual([{ text: 'copy a from stdin' }])
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  })

  it('The embedded database continues after bytes that are not a message of the protocol', async () => {
    const path = join(database.connection.host, `.s.PGSQL.${database.connection.port}`)
    const send = (bytes: Buffer) =>
      new Promise<string>((done) => {
        const socket = net.connect(path, () => socket.write(bytes))
        let answer = ''
        socket.on('data', (chunk) => {
          answer += chunk.toString('latin1')
        })
        socket.on('error', () => undefined)
        socket.on('close', () => done(answer))
      })
    const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
    expect(await send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toContain('08P01')
    expect(await send(Buffer.concat([startup, Buffer.from('q\0\0\0\x05x')]))).toContain('unknown type')
    expect(await send(Buffer.concat([startup, Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff])]))).toContain('54000')
    // A cancel request has no effect, because no connection has its key.
    expect(await send(Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]))).toBe('')
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('The embedded database stores and returns large values', async () => {
    const text = 'ä'.repeat(5_000_000)
    const { rows } = await pool.query<{ text: string }>('select $1::text as text', [text])
    expect(rows[0]!.text === text).toBe(true)
  })

  it('The embedded database has the extensions vector, pg_trgm and unaccent', async () => {
    await pool.query('create extension vector; create extension pg_trgm; create extension unaccent')
    const { rows } = await pool.query(
      `select '[1,2]'::vector <-> '[1,3]' as far, unaccent('é') as plain, similarity('abc', 'abc') as same`,
    )
    expect(rows).toEqual([{ far: 1, plain: 'e', same: 1 }])
  })

  it('The embedded database refuses a second process and a second start, and the error names the folder and the process', async () => {
    const folder = await newFolder()
    const first = startWriter(folder, 'hold')
    await until(() => first.lines.includes('ready'))
    const second = startWriter(folder, 'hold')
    expect(await second.exited).toBe(3)
    expect(second.errors().trim()).toBe(`Lectern is already running on ${folder} (process ${first.child.pid}).`)
    await expect(startEmbeddedDatabase({ dataDir: folder })).rejects.toMatchObject({ code: 'conflict' })
    const { socketFolder } = JSON.parse(await readFile(join(folder, 'process.json'), 'utf8')) as {
      socketFolder: string
    }
    first.child.kill('SIGKILL')
    await first.exited

    // The lock ends with a killed process. Of two processes that start at once, one gets the lock. Left files are
    // removed.
    expect(existsSync(socketFolder)).toBe(true)
    const racers = [startWriter(folder, 'hold'), startWriter(folder, 'hold'), startWriter(folder, 'hold')]
    await until(
      () =>
        racers.filter(({ lines }) => lines.includes('ready')).length === 1 &&
        racers.filter(({ child }) => child.exitCode === 3).length === 2,
    )
    expect(existsSync(socketFolder)).toBe(false)
    for (const { child } of racers) child.kill('SIGKILL')
    await Promise.all(racers.map(({ exited }) => exited))
  })

  it('The embedded database starts again after a kill during its creation', async () => {
    const folder = await emptyFolder()
    const killed = startWriter(folder, 'hold')
    await until(() => existsSync(join(folder, 'cluster', 'PG_VERSION')))
    killed.child.kill('SIGKILL')
    await killed.exited
    expect(killed.lines).toEqual([])
    expect(existsSync(join(folder, 'cluster.unfinished'))).toBe(true)
    const again = startWriter(folder, 'hold')
    await until(() => again.lines.includes('ready'))
    again.child.kill('SIGKILL')
    await again.exited
  })

  it('The embedded database loses no acknowledged row when it is killed during a write', async () => {
    const folder = await newFolder()
    const acknowledged = new Set<number>()
    for (let round = 0; round < 5; round++) {
      const writer = startWriter(folder, 'write')
      await until(() => writer.lines.length > 50 + round * 37)
      writer.child.kill('SIGKILL')
      await writer.exited
      for (const line of writer.lines) if (line !== 'ready') acknowledged.add(Number(line))
    }
    const survivor = await startEmbeddedDatabase({ dataDir: folder })
    const reader = new Pool(survivor.connection)
    const { rows } = await reader.query<{ n: number }>('select n from written')
    const kept = new Set(rows.map(({ n }) => n))
    expect(acknowledged.size).toBeGreaterThan(400)
    expect([...acknowledged].filter((n) => !kept.has(n))).toEqual([])
    await reader.end()
    await survivor.stop()
  })

  it('The embedded database ends the process with a clear message when the engine fails', async () => {
    const folder = await newFolder()
    const broken = startWriter(folder, 'break')
    expect(await broken.exited).toBe(70)
    expect(broken.errors()).toContain(`The embedded database in ${folder} broke`)
  })

  it('The embedded database answers a statement that nests too deeply with an error, and continues', async () => {
    await pool.query('create function again(int) returns int language plpgsql as $$ begin return again($1 + 1); end $$')
    await expect(pool.query('select again(1)')).rejects.toMatchObject({ code: '54001' })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('The embedded database stops cleanly and keeps all data', async () => {
    const folder = await newFolder()
    const first = await startEmbeddedDatabase({ dataDir: folder })
    const client = new Client(first.connection)
    client.on('error', () => undefined)
    await client.connect()
    await client.query('create table kept (n int)')
    await client.query('insert into kept values (7)')
    await client.query('begin')
    await client.query('insert into kept values (8)')
    await first.stop()
    expect(existsSync(first.connection.host)).toBe(false)
    const second = await startEmbeddedDatabase({ dataDir: folder })
    const reader = new Pool(second.connection)
    expect((await reader.query('select n from kept')).rows).toEqual([{ n: 7 }])
    await reader.end()
    await second.stop()
  })

  it('The error of the embedded database names a folder that cannot be used', async () => {
    const file = join(await newFolder(), 'file')
    await writeFile(file, '')
    await expect(startEmbeddedDatabase({ dataDir: file })).rejects.toThrow(file)
  })
})

describe.skipIf(onServer)('the bridge', () => {
  it('The bridge flushes every commit, ends idle transactions, and asks for the password if there is one', async () => {
    const folder = await newFolder()
    const broken: string[] = []
    const db = await openEmbedded(folder, (reason) => broken.push(reason))
    const bridge = new Bridge({
      backend: (messages, onAnswer) => db.execProtocolRawStream(messages, { syncToFs: false, onRawData: onAnswer }),
      parameters: { server_version: '18.0', client_encoding: 'UTF8' },
      password: 'secret',
      idleInTransactionMs: 200,
      onBroken: (reason) => broken.push(reason),
    })
    const server = net.createServer((socket) => bridge.attach(socket))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = {
      host: '127.0.0.1',
      port: (server.address() as net.AddressInfo).port,
      user: 'postgres',
      database: 'postgres',
    }

    await expect(new Client({ ...address, password: 'wrong' }).connect()).rejects.toMatchObject({ code: '28P01' })
    const pool = new Pool({ ...address, password: 'secret' })
    pool.on('error', () => undefined)
    await pool.query('create table t (n int)')

    const files = db.fs as unknown as { syncs: number }
    const before = files.syncs
    await pool.query('insert into t values (1)')
    expect(files.syncs).toBeGreaterThan(before)

    const idle = new Client({ ...address, password: 'secret' })
    const ended = new Promise<Error>((done) => idle.on('error', done))
    await idle.connect()
    await idle.query('begin')
    await idle.query('insert into t values (2)')
    expect((await pool.query('select n from t')).rows).toEqual([{ n: 1 }])
    expect(await ended).toMatchObject({ code: '25P03' })
    expect(broken).toEqual([])
    await pool.end()
    await bridge.stop()
    server.close()
    await db.close()
  })
})
