import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listNames } from '#server/backup/queries.ts'
import type { Manifest } from '#server/backup/manifest.ts'
import { applyMigrations } from '#server/db/apply-migrations.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { BACKUP_COMMAND } from '#tests/helpers/programs.ts'
import { startS3Server } from '#tests/helpers/s3-server.ts'
import { type Client, createDatabase, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * This file backs up an installation with running jobs, restores it on the other kind of database (PostgreSQL or embedded), and
 * restores it from there on the first kind. Without PostgreSQL both databases are embedded.
 */

/** Text with characters that many programs treat as line ends. Real papers contain them. */
const SEPARATED = 'one\u2028two\u2029three\u0085four'

let provider: OpenAiServer
let source: TestServer
let ada: Client
let documentId: string
let jobId: string
let before: DocumentDetail
let pdf: Buffer
const others: TestServer[] = []
const folders: string[] = []

const env = () => ({ AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' })
const read = async (client: Client) => (await client.json<{ data: DocumentDetail }>(api.document(documentId))).data

const fileOf = async (client: Client) =>
  Buffer.from(await (await client.fetch(api.documentFile(documentId))).arrayBuffer())

/** Runs `npm run backup` or `npm run restore` on the installation of a test server. Returns the exit code and the output. */
function run(
  action: 'backup' | 'restore',
  folder: string,
  server: { dataDir: string; databaseUrl?: string | undefined },
  more: Record<string, string> = {},
) {
  const settings = { ...(server.databaseUrl === undefined ? {} : { DATABASE_URL: server.databaseUrl }), ...more }
  const child = spawn(process.execPath, [BACKUP_COMMAND, action, folder], {
    cwd: server.dataDir,
    env: { PATH: process.env['PATH'], DATA_DIR: server.dataDir, ...settings },
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (words += chunk.toString()))
  return new Promise<{ code: number | null; words: string }>((done) =>
    child.on('close', (code) => done({ code, words })),
  )
}

async function emptyInstallation(options: { embedded: boolean }): Promise<TestServer> {
  const server = await startServer({ env: env(), ...options })
  others.push(server)
  await server.kill('SIGTERM')
  return server
}

beforeAll(async () => {
  provider = await startOpenAiServer()
  source = await startServer({ env: env() })
  ada = await signUp(source.url, { email: 'ada@example.org' })
  const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const project = (
    await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Kept', description: SEPARATED } })
  ).data.id
  documentId = (await ada.upload(project, new File([bytes], 'Okafor et al..pdf', { type: 'application/pdf' }))).id
  for (const [path, body] of [
    [api.documentExtract(documentId), { method: 'text' }],
    [api.documentVectorize(documentId), {}],
  ] as const)
    await ada.job((await ada.json<{ data: Job }>(path, { body })).data.id)
  provider.next('chat', { kind: 'hang' })
  jobId = (await ada.json<{ data: Job }>(api.documentAnalyze(documentId), { body: {} })).data.id
  // The analysis must be waiting for the model before the kill: then the restored installation repeats the call.
  await vi.waitUntil(() => provider.requests.some(({ path }) => path.endsWith('/chat/completions')), {
    timeout: 60_000,
  })
  before = await read(ada)
  pdf = await fileOf(ada)
  await source.kill('SIGKILL')
})
afterAll(async () => {
  for (const server of [source, ...others]) await server?.stop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  await provider.stop()
})

/** Returns the fields of a document that the running analysis does not change. */
const kept = ({ id, filename, extracted_text, file_size, page_count, vectorized_at }: DocumentDetail) => {
  return { id, filename, extracted_text, file_size, page_count, vectorized_at }
}

/** The last migration of the earlier versions whose sentence model had 512 dimensions. */
const OLDER = '0042_trash_pass'

/** Applies the migrations up to `last` to an empty database. */
async function migrateTo(connectionString: string, last: string): Promise<void> {
  const client = new PostgresClient({ connectionString })
  await client.connect()
  try {
    await applyMigrations(client, last)
  } finally {
    await client.end()
  }
}

/** Returns the tables, with their columns, and the sequences of the schema after the migration OLDER. */
async function olderNames(): Promise<Awaited<ReturnType<typeof listNames>>> {
  const database = (await createDatabase())!
  const client = new PostgresClient({ connectionString: database.url })
  await client.connect()
  try {
    await applyMigrations(client, OLDER)
    return await listNames(client)
  } finally {
    await client.end()
    await database.drop()
  }
}

/** Changes a backup so that it is like a backup of the earlier version, which had vectors of 512 dimensions. */
async function makeOlder(folder: string): Promise<void> {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  manifest.migrations.splice(manifest.migrations.indexOf(OLDER) + 1)
  const { tables, sequences } = await olderNames()
  const known = new Map(tables.map(({ name, columns }) => [name, columns]))
  manifest.tables = manifest.tables.filter(({ name }) => known.has(name))
  manifest.sequences = manifest.sequences.filter(({ name }) => sequences.includes(name))
  const embedding = `[${Array.from({ length: 512 }, (_, at) => (at === 7 ? 1 : 0)).join(',')}]`
  const changes: Record<string, (row: Record<string, unknown>) => object> = {
    documents: (row) => (row['embedding_model'] === null ? row : { ...row, embedding_model: 'built-in/use-lite' }),
    chunks: (row) => ({
      ...row,
      model: 'built-in/use-lite',
      dimension: 512,
      embedding: row['embedding'] === null ? null : embedding,
    }),
    chunk_sentences: (row) => ({ ...row, embedding }),
  }
  for (const table of manifest.tables) {
    const columns = table.columns
    // In the older schema, `created_by` had the name `owner_id`.
    const earlier = (name: string) => (name === 'owner_id' && !columns.includes(name) ? 'created_by' : name)
    table.columns = known.get(table.name)!.filter((name) => columns.includes(earlier(name)))
    const file = join(folder, 'tables', `${table.name}.ndjson.gz`)
    const rows = gunzipSync(await readFile(file))
      .toString()
      .split('\n')
      .filter(Boolean)
      // In the older schema, events had no project, so the backup contains none.
      .filter(() => table.name !== 'events')
    table.rows = rows.length
    const lines = rows.map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>
      const changed = (changes[table.name]?.(row) ?? row) as Record<string, unknown>
      const older = Object.fromEntries(table.columns.map((name) => [name, changed[earlier(name)]]))
      return `${JSON.stringify(older)}\n`
    })
    const bytes = gzipSync(lines.join(''))
    await writeFile(file, bytes)
    table.sha256 = createHash('sha256').update(bytes).digest('hex')
  }
  await writeFile(path, JSON.stringify(manifest))
}

describe('a backup', () => {
  it.runIf(IS_LONG_RUN)(
    'A backup is restored on the other kind of database, and back, with files, passwords and open jobs',
    async () => {
      let from = source
      for (const embedded of [true, false]) {
        const folder = `${from.dataDir}-backup`
        folders.push(folder)
        expect(await run('backup', folder, from)).toMatchObject({ code: 0, words: expect.stringContaining('1 files') })
        // The metrics report this time.
        const { created_at } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
        expect(await readFile(join(from.dataDir, 'last-backup'), 'utf8')).toBe(`${created_at}\n`)
        const target = await emptyInstallation({ embedded })
        expect(await run('restore', folder, target)).toMatchObject({
          code: 0,
          words: expect.stringContaining('are restored'),
        })
        await target.restart()
        // The restore updates the statistics, so that queries are planned for the restored rows from the first request on.
        expect(await inDatabase(target, `select reltuples from pg_class where oid = 'documents'::regclass`)).toEqual([
          { reltuples: 1 },
        ])
        const again = await signIn(target.url, { email: 'ada@example.org' })
        expect(kept(await read(again))).toEqual(kept(before))
        expect((await again.json<{ data: object[] }>(api.projects())).data).toMatchObject([{ description: SEPARATED }])
        expect(Buffer.compare(await fileOf(again), pdf)).toBe(0)
        expect(await again.job(jobId)).toMatchObject({ status: 'completed' })
        expect((await read(again)).summary).toBeTruthy()
        await target.kill('SIGTERM')
        from = target
      }
    },
    240_000,
  )

  it.skipIf(!IS_LONG_RUN || !process.env['TEST_DATABASE_URL'])(
    'A backup with an older schema and vectors of another dimension is restored, and its papers are vectorized again',
    async () => {
      const folder = `${source.dataDir}-older`
      folders.push(folder)
      expect(await run('backup', folder, source)).toMatchObject({ code: 0 })
      await makeOlder(folder)
      const dataDir = await mkdtemp(join(tmpdir(), 'lectern-older-'))
      folders.push(dataDir)
      const database = (await createDatabase())!
      const databaseUrl = database.url
      expect(await run('restore', folder, { dataDir, databaseUrl })).toMatchObject({
        code: 0,
        words: expect.stringContaining('are restored'),
      })
      const target = await startServer({ dataDir, env: { DATABASE_URL: databaseUrl } })
      try {
        const again = await signIn(target.url, { email: 'ada@example.org' })
        const body = { question: 'What did the walking groups do in the evening?' }
        const { data } = await again.json<{ data: ChatAnswer }>(api.documentChat(documentId), { body })
        expect(data.sources).not.toEqual([])
        await expect
          .poll(() => read(again), { timeout: 90_000, interval: 500 })
          .toMatchObject({ embedding_stale: false, embedding_model: 'built-in/all-MiniLM-L6-v2', text_offer: null })
        expect(
          await inDatabase(
            target,
            'select distinct dimension, vector_dims(embedding) as stored from chunks where embedding is not null',
          ),
        ).toEqual([{ dimension: 384, stored: 384 }])
      } finally {
        await target.stop()
        await database.drop()
      }
    },
    240_000,
  )

  it('A backup is refused when the disk of the files is missing, and leaves no folder', async () => {
    const files = join(source.dataDir, 'files')
    const folder = `${source.dataDir}-without-files`
    folders.push(folder)
    await rename(files, `${files}-away`)
    const result = await run('backup', folder, source)
    await rm(files, { recursive: true, force: true })
    await rename(`${files}-away`, files)
    expect(result).toEqual({ code: 1, words: expect.stringContaining('Check that its disk or bucket is available') })
    // Nightly backups that fail would otherwise fill the disk.
    for (const path of [folder, `${folder}.partial`]) expect(await readdir(path).catch(() => null)).toBeNull()
  })

  it('A backup leaves out files of other programs with names that a restore would refuse', async () => {
    const folder = `${source.dataDir}-foreign`
    folders.push(folder)
    const files = join(source.dataDir, 'files')
    const foreign = [join(files, '.nfs0000000000c0ffee'), join(files, 'documents', 'Read me.txt')]
    for (const path of foreign) await writeFile(path, 'not from Lectern')
    expect(await run('backup', folder, source)).toMatchObject({
      code: 0,
      words: expect.stringContaining('Files of other programs that were left out: 2.'),
    })
    const { files: written } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
    expect(written).toMatchObject({ count: 1, left_out: 2 })
    const stored = await readdir(join(folder, 'files'), { recursive: true })
    expect(stored.filter((name) => /nfs|Read/.test(name))).toEqual([])
    for (const path of foreign) await rm(path)
  })

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A backup is refused if a restore would refuse the name of the file of a document',
    async () => {
      const folder = `${source.dataDir}-refused`
      folders.push(folder, `${folder}.partial`)
      const files = join(source.dataDir, 'files')
      const key = (await inDatabase(source, 'select source_url from documents where id = $1', [documentId]))[0]!
      const [name, moved] = [String(key['source_url']), 'documents/a name with spaces.pdf']
      const moveFile = (from: string, to: string) =>
        Promise.all([
          rename(join(files, from), join(files, to)),
          inDatabase(source, 'update documents set source_url = $2 where id = $1', [documentId, to]),
        ])
      await moveFile(name, moved)
      const refused = await run('backup', folder, source)
      await moveFile(moved, name)
      expect(refused).toMatchObject({ code: 1, words: expect.stringContaining('is not allowed in a backup') })
    },
  )

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A backup of the database of an earlier version does not change it, and is restored',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'lectern-earlier-'))
      const folder = `${dataDir}-backup`
      folders.push(dataDir, folder)
      const [earlier, target] = [(await createDatabase())!, (await createDatabase())!]
      const count = 'select count(*)::int as count from drizzle.__drizzle_migrations'
      try {
        const server = { dataDir, databaseUrl: earlier.url }
        expect(await run('backup', folder, server)).toMatchObject({
          code: 1,
          words: expect.stringContaining('The database is empty'),
        })
        await migrateTo(earlier.url, OLDER)
        await inDatabase(server, `insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.org')`)
        const before = await inDatabase(server, count)
        expect(await run('backup', folder, server)).toMatchObject({ code: 0 })
        expect(await inDatabase(server, count)).toEqual(before)
        const { migrations } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
        expect(migrations.at(-1)).toBe(OLDER)
        const restored = { dataDir, databaseUrl: target.url }
        expect(await run('restore', folder, restored)).toMatchObject({ code: 0 })
        expect(await inDatabase(restored, 'select email from "user"')).toEqual([{ email: 'ada@example.org' }])
        expect(await inDatabase(restored, count)).not.toEqual(before)
      } finally {
        for (const database of [earlier, target]) await database.drop()
      }
    },
  )

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A restore leaves out the change notices, because the new database can assign their transaction ids later',
    async () => {
      const folder = `${source.dataDir}-notices`
      const dataDir = await mkdtemp(join(tmpdir(), 'lectern-notices-'))
      folders.push(folder, dataDir)
      expect(await inDatabase(source, 'select from events')).not.toEqual([])
      expect(await run('backup', folder, source)).toMatchObject({ code: 0 })
      const database = (await createDatabase())!
      try {
        const restored = { dataDir, databaseUrl: database.url }
        expect(await run('restore', folder, restored)).toMatchObject({ code: 0 })
        expect(await inDatabase(restored, 'select id from documents')).toEqual([{ id: documentId }])
        expect(await inDatabase(restored, 'select from events')).toEqual([])
      } finally {
        await database.drop()
      }
    },
  )

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A restore into PostgreSQL and a bucket creates the data folder for the secret',
    async () => {
      const folder = `${source.dataDir}-bucket`
      const dataDir = await mkdtemp(join(tmpdir(), 'lectern-bucket-'))
      folders.push(folder, dataDir)
      expect(await run('backup', folder, source)).toMatchObject({ code: 0 })
      const [database, bucket] = [(await createDatabase())!, await startS3Server()]
      try {
        const data = join(dataDir, 'data')
        const restored = { dataDir, databaseUrl: database.url }
        expect(await run('restore', folder, restored, { ...bucket.env, DATA_DIR: data })).toMatchObject({ code: 0 })
        expect(await readFile(join(data, 'auth-secret'), 'utf8')).toBe(
          await readFile(join(folder, 'auth-secret'), 'utf8'),
        )
        expect([...bucket.objects.values()].map((file) => Buffer.compare(file, pdf))).toEqual([0])
        expect(await inDatabase(restored, 'select id from documents')).toEqual([{ id: documentId }])
      } finally {
        await bucket.stop()
        await database.drop()
      }
    },
  )

  it('A backup into an existing folder, and a restore of a damaged or missing backup or into used accounts, are refused and store no file', async () => {
    const folder = `${source.dataDir}-refused`
    folders.push(folder)
    expect(await run('backup', folder, source)).toMatchObject({ code: 0 })
    const target = await emptyInstallation({ embedded: false })
    const refused = async (action: 'backup' | 'restore', path: string, server: TestServer) => {
      const { code, words } = await run(action, path, server)
      expect(code).toBe(1)
      return words
    }
    expect(await refused('backup', folder, target)).toContain('already exists')
    expect(await refused('restore', `${folder}-none`, target)).toContain('is not a backup')
    expect(await refused('restore', folder, source)).toContain('This installation has accounts')

    // Contents that an attacker could put into a backup.
    const forged = async (change: (manifest: Manifest, path: string) => void | Promise<void>) => {
      const path = `${folder}-forged`
      await cp(folder, path, { recursive: true })
      const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as Manifest
      await change(manifest, path)
      await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest))
      const words = await refused('restore', path, target)
      await rm(path, { recursive: true })
      return words
    }
    expect(await forged(({ migrations }) => void migrations.pop())).toContain('The backup is older than this database')
    expect(await forged((it) => void (it.tables[0]!.columns = ['xmin']))).toContain('which is unknown or listed twice')
    expect(
      await forged(async ({ tables: [table] }, path) => {
        await rename(join(path, 'tables', `${table!.name}.ndjson.gz`), join(path, 'tables', 'pg_authid.ndjson.gz'))
        table!.name = 'pg_authid'
      }),
    ).toContain('names pg_authid, which is unknown or listed twice')
    const names = await readdir(join(folder, 'files'), { recursive: true })
    const file = join(
      'files',
      names.find((name) => name.endsWith('.pdf'))!,
    )
    const damage = async (path: string) => {
      const bytes = await readFile(join(path, file))
      bytes[bytes.length - 1]! ^= 1
      await writeFile(join(path, file), bytes)
    }
    expect(await forged((_, path) => damage(path))).toContain('is damaged')
    expect(await forged((_, path) => rm(join(path, file)))).toContain('has no files/')
    const stored = await readdir(join(target.dataDir, 'files'), { recursive: true }).catch(() => [])
    expect(stored.filter((name) => name.endsWith('.pdf'))).toEqual([])

    // The rows are refused at their commit. The secret is there already, so that a restore that ends after the commit has it.
    const created_at = new Date().toISOString()
    const row = JSON.stringify({ document_id: crypto.randomUUID(), tag_id: crypto.randomUUID(), created_at })
    expect(
      await forged(async ({ tables }, path) => {
        const bytes = gzipSync(row)
        await writeFile(join(path, 'tables', 'document_tags.ndjson.gz'), bytes)
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        Object.assign(
          tables.find(({ name }) => name === 'document_tags')!,
          { rows: 1, sha256 },
        )
      }),
    ).toContain('violates foreign key constraint')
    const secretIn = (place: string) => readFile(join(place, 'auth-secret'), 'utf8')
    expect(await secretIn(target.dataDir)).toBe(await secretIn(folder))
  })
})
