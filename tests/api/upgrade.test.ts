import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  beginFilling,
  beginSnapshot,
  endFilling,
  endSnapshot,
  insertRows,
  listTables,
  readRows,
  type StoredTable,
} from '#server/backup/queries.ts'
import { applyMigrations, journal } from '#server/db/apply-migrations.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { type Client, createDatabase, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import type { TestDatabase } from '#tests/helpers/test-database.ts'

/**
 * This file inserts rows of a user into the schema of earlier versions, and checks that the later migrations preserve them.
 * Needs a PostgreSQL server, because each schema needs a separate database.
 */

const MIGRATIONS = journal()
/** The index of the migration that creates the first tested schema, which has users, documents and jobs. */
const FIRST = MIGRATIONS.findIndex(({ tag }) => tag === '0003_jobs_and_events')
/**
 * The tags of the earlier schemas from which an upgrade is tested. Excludes a schema with new tables but without their access
 * rules: no version had it, because the next migration was released together with it.
 */
const OLD = MIGRATIONS.filter(
  (_, at, all) => at >= FIRST && at < all.length - 1 && !/_(rules|policies)$/.test(all[at + 1]!.tag),
).map(({ tag }) => tag)
/**
 * The tested schemas. A long run tests all; `npm test` tests the first, every 24th and the last two. Each migration still runs
 * on rows of an earlier version.
 */
const SAMPLE = OLD.filter((_, at) => IS_LONG_RUN || at % 24 === 0 || at >= OLD.length - 2)

let server: TestServer | undefined
const rows = new Map<string, string[]>()
let owner_id: string

beforeAll(async () => {
  if (!process.env['TEST_DATABASE_URL']) return
  server = await startServer()
  const ada = await signUp(server.url)
  await readAPaper(ada)
  owner_id = ada.userId
  await withClient(server.databaseUrl!, async (client) => {
    await beginSnapshot(client)
    for (const table of await listTables(client)) rows.set(table.name, await linesOf(client, table))
    await endSnapshot(client)
  })
})
afterAll(async () => {
  await server?.stop()
  await schema?.database.drop()
})

/** The database that `databaseAt` copies, and the tag of its last migration. */
let schema: { database: TestDatabase; tag: string } | undefined

/**
 * Returns a database with the schema after the migration `tag`. It is a copy of a database that stays for the next call, which
 * then applies only the later migrations: applying all of them takes several times as long as a copy.
 */
async function databaseAt(tag: string): Promise<TestDatabase> {
  if (schema === undefined || schema.tag > tag) {
    await schema?.database.drop()
    schema = { database: (await createDatabase())!, tag }
  }
  await withClient(schema.database.url, (client) => applyMigrations(client, tag))
  schema.tag = tag
  return (await createDatabase({ template: schema.database.name }))!
}

async function readAPaper(ada: Client): Promise<void> {
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Old' } })).data.id
  const bytes = new Uint8Array(readFileSync(new URL('../fixtures/paper.pdf', import.meta.url)))
  const { id } = await ada.upload(project, new File([bytes], 'paper.pdf', { type: 'application/pdf' }))
  const steps = [
    [api.documentExtract(id), { method: 'text' }],
    [api.documentAnalyze(id), {}],
    [api.documentVectorize(id), {}],
  ] as const
  for (const [path, body] of steps) await ada.job((await ada.json<{ data: Job }>(path, { body })).data.id)
}

async function withClient<T>(url: string, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = new PostgresClient({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function linesOf(client: PostgresClient, table: StoredTable): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readRows(client, table)) lines.push(line.trim())
  return lines
}

const only = (line: string, columns: readonly string[]) => {
  const row = JSON.parse(line) as Record<string, unknown>
  return Object.fromEntries(columns.map((name) => [name, row[name]]))
}

/**
 * Converts a row of the current schema to the schema after the migration `tag`. Before 0050, projects had no members: rows had
 * an owner, and `is_default` was a column of projects.
 */
function asBefore(tag: string, table: string, line: string): string {
  if (tag >= '0050') return line
  const row = JSON.parse(line) as { owner_id?: string; created_by?: string }
  const owner = { owner_id: row.owner_id ?? row.created_by ?? owner_id }
  if (table === 'projects') return JSON.stringify({ ...row, is_default: true })
  return JSON.stringify(table === 'events' ? { ...row, ...owner, project_id: null } : { ...row, ...owner })
}

/** Returns the current name of a column of an earlier schema. */
const renamed = (column: string, columns: readonly string[]) =>
  column === 'owner_id' && !columns.includes('owner_id') ? 'created_by' : column

/**
 * Returns the row that the migrations after `tag` should produce. Before 0028, session tokens were stored in plain text; they
 * become hashes. Before 0011, documents had no authors, so the search text has no names. 0118 marks all indexes as stale.
 */
function asLeft(tag: string, table: string, line: string): string {
  if (table === 'document_search' && tag < '0011') {
    const row = JSON.parse(line) as { words: string }
    const { authors } = JSON.parse(rows.get('documents')![0]!) as { authors: string[] }
    return JSON.stringify({ ...row, words: row.words.replace(authors.join('\n').toLowerCase(), '') })
  }
  if (table === 'indexed_documents' && tag < '0118')
    return JSON.stringify({ ...(JSON.parse(line) as object), is_stale: true })
  if (table !== 'session' || tag >= '0028') return line
  const row = JSON.parse(line) as { token: string }
  return JSON.stringify({ ...row, token: createHash('sha256').update(row.token).digest('hex') })
}

describe.skipIf(!process.env['TEST_DATABASE_URL'])('an upgrade (needs a PostgreSQL server)', () => {
  it.each(SAMPLE)('An upgrade from %s keeps every row', async (tag) => {
    const database = await databaseAt(tag)
    try {
      await withClient(database.url, async (client) => {
        const tables = await listTables(client)
        const references = await beginFilling(client, tables)
        const before = (name: string) => (rows.get(name) ?? []).map((line) => asBefore(tag, name, line))
        for (const table of tables) await insertRows(client, table, before(table.name))
        await endFilling(client, tables, references, [])

        await applyMigrations(client)
        await beginSnapshot(client)
        for (const { name, columns } of tables) {
          const now = (await listTables(client)).find((table) => table.name === name)
          // The update of an index counts a change.
          const isKept = (column: string) => name !== 'indexed_documents' || column !== 'change'
          const kept = columns.filter((column) => isKept(column) && now?.columns.includes(renamed(column, now.columns)))
          const present = kept.map((column) => renamed(column, now!.columns))
          const found = now ? await linesOf(client, { name, columns: present }) : []
          const wanted = now ? before(name).map((line) => asLeft(tag, name, line)) : []
          // The migrations rewrite rows, which changes their order.
          const valuesOf = (lines: string[], names: string[]) =>
            lines.map((line) => JSON.stringify(Object.values(only(line, names)))).toSorted()
          expect(valuesOf(found, present)).toEqual(valuesOf(wanted, kept))
        }
        await endSnapshot(client)
      })
    } finally {
      await database.drop()
    }
  })

  it('An upgrade counts the failed calls of earlier versions as zero, in both tables of usage', async () => {
    const database = (await createDatabase())!
    try {
      await withClient(database.url, async (client) => {
        await applyMigrations(client, '0033_feed_link_keys')
        await client.query(`
          insert into ai_calls (created_at, purpose, model, tokens_in, tokens_out, tokens_estimated, cost_usd, milliseconds, ok, error)
          values ('2026-01-31T12:00Z', 'analysis', 'm', 1359, 0, true, 0.1359, 9, false, 'outside_failed'),
            ('2026-01-31T12:00Z', 'analysis', 'm', 1359, 7, false, 0.1366, 9, false, 'outside_failed'),
            ('2026-01-31T12:00Z', 'analysis', 'm', 1000, 20, true, 0.102, 9, true, null),
            ('2026-01-31T12:00Z', 'answer', 'm', 500, 0, true, 0.05, 9, false, 'too_many'),
            ('2026-02-01T12:00Z', 'answer', 'm', 10, 10, true, 0.002, 9, true, null)`)
        // The calls of this sum were deleted, so it cannot be recalculated.
        await client.query(`
          insert into ai_usage_daily (day, person, model, purpose, calls, failed, tokens_in, tokens_out, cost_usd)
          values ('2025-12-31', '', 'm', 'answer', 3, 1, 30, 3, 0.0033)`)

        await applyMigrations(client)
        const { rows: calls } = await client.query(
          'select tokens_in, tokens_out, cost_usd, ok, tokens_estimated from ai_calls order by cost_usd, tokens_in',
        )
        const refused = { tokens_in: 0, tokens_out: 0, cost_usd: 0, ok: false, tokens_estimated: false }
        expect(calls).toEqual([
          refused,
          refused,
          { tokens_in: 10, tokens_out: 10, cost_usd: 0.002, ok: true, tokens_estimated: true },
          { tokens_in: 1000, tokens_out: 20, cost_usd: 0.102, ok: true, tokens_estimated: true },
          { tokens_in: 1359, tokens_out: 7, cost_usd: 0.1366, ok: false, tokens_estimated: false },
        ])
        const { rows: sums } = await client.query(
          `select day::text, purpose, calls::int, failed::int, tokens_in::int, tokens_out::int, cost_usd
            from ai_usage_daily order by day, purpose`,
        )
        expect(sums).toEqual([
          { day: '2025-12-31', purpose: 'answer', calls: 3, failed: 1, tokens_in: 30, tokens_out: 3, cost_usd: 0.0033 },
          {
            day: '2026-01-31',
            purpose: 'analysis',
            calls: 3,
            failed: 2,
            tokens_in: 2359,
            tokens_out: 27,
            cost_usd: expect.closeTo(0.2386, 12),
          },
          { day: '2026-01-31', purpose: 'answer', calls: 1, failed: 1, tokens_in: 0, tokens_out: 0, cost_usd: 0 },
          { day: '2026-02-01', purpose: 'answer', calls: 1, failed: 0, tokens_in: 10, tokens_out: 10, cost_usd: 0.002 },
        ])
      })
    } finally {
      await database.drop()
    }
  })

  it('An upgrade removes a DOI that another feed assigned to a feed article, and restores the read and starred marks of the article', async () => {
    const database = (await createDatabase())!
    try {
      await withClient(database.url, async (client) => {
        await applyMigrations(client, '0033_feed_link_keys')
        await client.query(`insert into "user" (id, name, email) values ('ann', 'Ann', 'ann@example.org')`)
        await client.query(`
          insert into feeds (url, etag, last_modified)
          values ('honest', '"h"', 'Monday'), ('evil', '"e"', 'Monday'), ('apart', '"a"', 'Monday')`)
        await client.query(`
          insert into feed_articles (feed_id, item_key, merge_key, link_key, link, doi, title, published_at, description)
          select feeds.id, n::text, coalesce('doi:' || doi, 'link:' || at), 'link:' || at, 'https://' || at, doi, 'T', now(), ''
          from feeds join (values
            ('honest', 1, 'a.org/1', '10.6666/evil'), ('honest', 2, 'a.org/2', '10.6666/evil'),
            ('honest', 3, 'a.org/doi/10.1000/3', '10.1000/3'), ('honest', 4, 'a.org/4', '10.1000/4'),
            ('evil', 1, 'a.org/1', '10.6666/evil'), ('evil', 2, 'a.org/2', '10.6666/evil'),
            ('evil', 3, 'a.org/doi/10.1000/3', '10.1000/3'), ('apart', 1, 'b.org/1', '10.1000/5')
          ) given(url, n, at, doi) using (url)`)
        await client.query(`
          insert into feed_article_marks (user_id, merge_key, read, starred)
          values ('ann', 'doi:10.6666/evil', true, false), ('ann', 'link:a.org/2', false, true), ('ann', 'doi:10.1000/3', true, true)`)

        await applyMigrations(client)
        const { rows: articles } = await client.query(
          `select url, merge_key, doi, shared from feed_articles join feeds on feeds.id = feed_id order by url desc, item_key`,
        )
        const unnamed = (url: string, link: string) => ({ url, merge_key: `link:${link}`, doi: null, shared: true })
        const named = (url: string, doi: string, shared: boolean) => ({ url, merge_key: `doi:${doi}`, doi, shared })
        expect(articles).toEqual([
          unnamed('honest', 'a.org/1'),
          unnamed('honest', 'a.org/2'),
          named('honest', '10.1000/3', true),
          named('honest', '10.1000/4', false),
          unnamed('evil', 'a.org/1'),
          unnamed('evil', 'a.org/2'),
          named('evil', '10.1000/3', true),
          named('apart', '10.1000/5', false),
        ])
        const { rows: marks } = await client.query(
          'select merge_key, read, starred from feed_article_marks order by merge_key',
        )
        expect(marks).toEqual([
          { merge_key: 'doi:10.1000/3', read: true, starred: true },
          { merge_key: 'doi:10.6666/evil', read: true, starred: false },
          { merge_key: 'link:a.org/1', read: true, starred: false },
          { merge_key: 'link:a.org/2', read: true, starred: true },
        ])
        const { rows: headers } = await client.query('select url, etag, last_modified from feeds order by url')
        expect(headers).toEqual([
          { url: 'apart', etag: '"a"', last_modified: 'Monday' },
          { url: 'evil', etag: null, last_modified: null },
          { url: 'honest', etag: null, last_modified: null },
        ])
      })
    } finally {
      await database.drop()
    }
  })

  it('An upgrade gives feeds that users added back to them, with their articles, and keeps those that admins set', async () => {
    const database = (await createDatabase())!
    try {
      await withClient(database.url, async (client) => {
        await applyMigrations(client, '0035_feed_copies')
        await client.query(`
          insert into "user" (id, name, email) select who, who, who || '@example.org' from unnest(array['ann', 'ben']) who`)
        await client.query(`
          insert into projects (id, owner_id, name)
          values ('00000000-0000-4000-8000-00000000000a', 'ann', 'P'), ('00000000-0000-4000-8000-00000000000b', 'ben', 'P')`)
        await client.query(`
          insert into journals (name, rss_feed_url, added_by, user_added)
          values ('Token', 'https://a.org/f?token=1', 'ann', true), ('Plain', 'https://a.org/f', 'ann', true),
            ('Set', 'https://a.org/set', 'ann', true), ('Catalogue', 'https://a.org/all', 'ann', false),
            ('Left', 'https://a.org/left?t=2', null, true), ('Name', null, 'ann', true)`)
        await client.query(`
          insert into audit_log (action, subject_id, details)
          select 'journal.changed', id::text, '{"rss_feed_url": {"from": null}}' from journals where name = 'Set'`)
        await client.query('insert into feeds (url) select rss_feed_url from journals where rss_feed_url is not null')
        await client.query(`
          insert into user_rss_subscription (user_id, project_id, journal_id)
          select projects.owner_id, projects.id, journals.id from projects, journals where rss_feed_url is not null`)

        await applyMigrations(client)
        const { rows: journals } = await client.query('select name, owner_id from journals order by name, owner_id')
        expect(journals).toEqual([
          { name: 'Catalogue', owner_id: null },
          { name: 'Name', owner_id: null },
          { name: 'Plain', owner_id: 'ann' },
          { name: 'Plain', owner_id: 'ben' },
          { name: 'Set', owner_id: null },
          { name: 'Token', owner_id: 'ann' },
        ])
        const { rows: feeds } = await client.query('select url, owner_id from feeds order by url')
        expect(feeds).toEqual([
          { url: 'https://a.org/all', owner_id: null },
          { url: 'https://a.org/f', owner_id: 'ann' },
          { url: 'https://a.org/f?token=1', owner_id: 'ann' },
          { url: 'https://a.org/set', owner_id: null },
        ])
        const { rows: followed } = await client.query(
          `select s.user_id, string_agg(j.name || ' ' || coalesce(j.owner_id, '-'), ', ' order by j.name) as names
            from user_rss_subscription s join journals j on j.id = s.journal_id group by 1 order by 1`,
        )
        expect(followed).toEqual([
          { user_id: 'ann', names: 'Catalogue -, Plain ann, Set -, Token ann' },
          { user_id: 'ben', names: 'Catalogue -, Plain ben, Set -' },
        ])
      })
    } finally {
      await database.drop()
    }
  })

  it('An upgrade links the keywords that earlier versions did not link as tags', async () => {
    const database = (await createDatabase())!
    try {
      await withClient(database.url, async (client) => {
        await applyMigrations(client, '0037_journal_edited_fields')
        await client.query(
          `insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.org'), ('bob', 'Bob', 'bob@example.org')`,
        )
        await client.query(`insert into tags (owner_id, name) values ('ada', 'Sleep'), ('bob', 'Istanbul')`)
        await client.query(`
          insert into documents (owner_id, filename, keywords) values
            ('ada', 'a.pdf', '{sleep,SLEEP,İstanbul}'), ('ada', 'b.pdf', '{naps}'), ('ada', 'c.pdf', '{NAPS,Sleep}')`)
        await client.query(`
          insert into document_tags (document_id, tag_id)
            select d.id, t.id from documents d, tags t where d.filename = 'c.pdf' and t.name = 'Sleep'`)

        await applyMigrations(client)
        const { rows: links } = await client.query(`
          select d.filename, lower(t.name) as name from document_tags l
            join documents d on d.id = l.document_id join tags t on t.id = l.tag_id and t.created_by = d.created_by
            where t.name <> 'İstanbul' order by 1, 2`)
        expect(links).toEqual([
          { filename: 'a.pdf', name: 'sleep' },
          { filename: 'b.pdf', name: 'naps' },
          { filename: 'c.pdf', name: 'naps' },
          { filename: 'c.pdf', name: 'sleep' },
        ])
        const { rows: found } = await client.query(`
          select set_config('app.user_id', 'ada', false), (select count(*)::int from documents_of_keywords('{İstanbul}')) as n`)
        expect(found).toMatchObject([{ n: 1 }])
      })
    } finally {
      await database.drop()
    }
  })

  it('An upgrade makes each owner a member, and gives each project its own tags (SHR-01, SHR-06, SHR-11)', async () => {
    const database = (await createDatabase())!
    try {
      await withClient(database.url, async (client) => {
        await applyMigrations(client, '0044_vector_renewal')
        await client.query(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.org')`)
        await client.query(`
          insert into projects (id, owner_id, name, is_default, created_at) values
            ('00000000-0000-4000-8000-00000000000a', 'ada', 'First', false, '2026-01-01'),
            ('00000000-0000-4000-8000-00000000000b', 'ada', 'Second', true, '2026-01-02')`)
        await client.query(
          `insert into tags (owner_id, name) values ('ada', 'Sleep'), ('ada', 'Naps'), ('ada', 'Unused')`,
        )
        await client.query(
          `insert into project_tags (project_id, tag_id) select p.id, t.id from projects p, tags t where t.name = 'Sleep'`,
        )
        await client.query(`
          insert into documents (owner_id, project_id, filename) values
            ('ada', '00000000-0000-4000-8000-00000000000a', '1'), ('ada', '00000000-0000-4000-8000-00000000000b', '2'), ('ada', null, '0')`)
        await client.query(`insert into document_tags (document_id, tag_id)
          select d.id, t.id from documents d, tags t where t.name = 'Sleep' or t.name = 'Naps' and d.filename <> '1'`)

        await applyMigrations(client)
        const { rows: members } = await client.query(
          `select p.name, m.user_id, m.role, m.is_default from project_members m join projects p on p.id = m.project_id order by 1`,
        )
        expect(members).toEqual([
          { name: 'First', user_id: 'ada', role: 'owner', is_default: false },
          { name: 'Second', user_id: 'ada', role: 'owner', is_default: true },
        ])
        const { rows: tags } = await client.query(
          `select p.name as project, string_agg(t.name, ', ' order by t.name) as names, bool_and(t.created_by = 'ada') as own
            from tags t left join projects p on p.id = t.project_id group by 1 order by 1 nulls first`,
        )
        expect(tags).toEqual([
          { project: null, names: 'Naps, Sleep, Unused', own: true },
          { project: 'First', names: 'Sleep', own: true },
          { project: 'Second', names: 'Naps, Sleep', own: true },
        ])
        const { rows: wrong } = await client.query(`
          select d.filename from document_tags l join documents d on d.id = l.document_id join tags t on t.id = l.tag_id
            where t.project_id is distinct from d.project_id
          union all select 'project' from project_tags l join tags t on t.id = l.tag_id where t.project_id <> l.project_id`)
        expect(wrong).toEqual([])
        const { rows: links } = await client.query(`
          select d.filename, string_agg(t.name, ', ' order by t.name) as names from document_tags l
            join documents d on d.id = l.document_id join tags t on t.id = l.tag_id group by 1 order by 1`)
        expect(links).toEqual([
          { filename: '0', names: 'Naps, Sleep' },
          { filename: '1', names: 'Sleep' },
          { filename: '2', names: 'Naps, Sleep' },
        ])
      })
    } finally {
      await database.drop()
    }
  })

  it('An upgrade renames projects of reserved names, notifies their owners and logs the names', async () => {
    const database = (await createDatabase())!
    try {
      await withClient(database.url, async (client) => {
        await applyMigrations(client, '0053_notices_rules')
        await client.query(`
          insert into "user" (id, name, email) select who, who, who || '@example.org' from unnest(array['ann', 'ben']) who`)
        await client.query(`
          insert into projects (owner_id, name, created_at, deleted_at) values
            ('ann', 'Help', '2026-01-01', null), ('ann', 'help (PROJECT)', '2026-01-02', null),
            ('ann', 'Helpful', '2026-01-03', null), ('ben', 'MCP', '2026-01-04', null), ('ben', 'ask', '2026-01-05', now())`)
      })
      const upgraded = await startServer({ env: { DATABASE_URL: database.url } })
      await upgraded.stop()
      await withClient(database.url, async (client) => {
        const { rows: names } = await client.query('select name from projects order by created_at')
        expect(names.map(({ name }) => name as string)).toEqual([
          'Help (project 2)',
          'help (PROJECT)',
          'Helpful',
          'MCP (project)',
          'ask (project)',
        ])
        const { rows: notices } = await client.query(
          `select user_id, kind, data ->> 'from' as "from", data ->> 'to' as "to" from notices order by user_id`,
        )
        const kind = 'project_renamed'
        expect(notices).toEqual([
          { user_id: 'ann', kind, from: 'Help', to: 'Help (project 2)' },
          { user_id: 'ben', kind, from: 'MCP', to: 'MCP (project)' },
        ])
      })
      for (const name of ['Help', 'MCP']) expect(upgraded.output()).toContain(`the project \\"${name}\\"`)
    } finally {
      await database.drop()
    }
  })
})
