import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '#tests/helpers/test-database.ts'

/**
 * Queries the database without the routes: as another user and without a user, with the role of the requests. The table
 * below must name every table of the database, so that a new table without a rule fails.
 */
const ALICE = 'alice'
const BOB = 'bob'
const ids = {
  project: '00000000-0000-4000-8000-000000000001',
  tag: '00000000-0000-4000-8000-000000000002',
  document: '00000000-0000-4000-8000-000000000003',
  chunk: '00000000-0000-4000-8000-000000000004',
  journal: '00000000-0000-4000-8000-000000000005',
  feed: '00000000-0000-4000-8000-0000000000f1',
}

/** Per table of Alice's: a row to insert, and a column to change. `shared` ones may be read by everyone signed in, `admins` ones by admins alone. */
const TABLES: Record<string, { insert: string; change: string; shared?: boolean; admins?: boolean } | 'closed'> = {
  user: 'closed',
  session: 'closed',
  account: 'closed',
  verification: 'closed',
  rate_limit: 'closed',
  removed_files: 'closed',
  trash_pass: 'closed',
  vector_renewal: 'closed',
  factor: 'closed',
  factor_challenge: 'closed',
  backup_code: 'closed',
  outbox: 'closed',
  journal_imports: 'closed',
  profiles: {
    insert: `insert into profiles (id, email) values ('${ALICE}', 'alice@example.org')`,
    change: `full_name = 'x'`,
  },
  projects: {
    insert: `insert into projects (id, owner_id, name) values ('${ids.project}', '${ALICE}', 'P')`,
    change: `name = 'x'`,
  },
  tags: {
    insert: `insert into tags (id, owner_id, name) values ('${ids.tag}', '${ALICE}', 't')`,
    change: `name = 'x'`,
  },
  project_tags: {
    insert: `insert into project_tags (project_id, tag_id) values ('${ids.project}', '${ids.tag}')`,
    change: `created_at = now()`,
  },
  journals: {
    insert: `insert into journals (id, name, user_added, added_by) values ('${ids.journal}', 'J', true, '${ALICE}')`,
    change: `name = 'x'`,
    shared: true,
  },
  excluded_journals: {
    insert: `insert into excluded_journals (openalex_id, journal_name) values ('S1', 'J')`,
    change: `reason = 'x'`,
    shared: true,
  },
  documents: {
    insert: `insert into documents (id, owner_id, project_id, filename) values ('${ids.document}', '${ALICE}', '${ids.project}', 'a.pdf')`,
    change: `title = 'x'`,
  },
  document_search: {
    // A trigger has made the row with its document.
    insert: `insert into document_search (document_id, owner_id, created_at, words, head, whole) values ('${ids.document}', '${ALICE}', now(), '', '', '') on conflict do nothing`,
    change: `words = 'x'`,
  },
  document_tags: {
    insert: `insert into document_tags (document_id, tag_id) values ('${ids.document}', '${ids.tag}')`,
    change: `created_at = now()`,
  },
  chunks: {
    insert: `insert into chunks (id, document_id, owner_id, position, content, page_number, page_offset, is_reference, model, dimension) values ('${ids.chunk}', '${ids.document}', '${ALICE}', 0, 'c', 1, 0, false, 'm', 2)`,
    change: `content = 'x'`,
  },
  chunk_sentences: {
    insert: `insert into chunk_sentences (chunk_id, document_id, owner_id, start_offset, end_offset, embedding) values ('${ids.chunk}', '${ids.document}', '${ALICE}', 0, 1, '[1,0]')`,
    change: `start_offset = 1`,
  },
  jobs: { insert: `insert into jobs (owner_id, kind) values ('${ALICE}', 'ocr')`, change: `error = 'x'` },
  events: {
    insert: `insert into events (owner_id, event, data) values ('${ALICE}', 'job', '{}')`,
    change: `event = 'x'`,
  },
  feeds: {
    insert: `insert into feeds (id, url) values ('${ids.feed}', 'https://example.org/feed')`,
    change: `failures = 1`,
    shared: true,
  },
  feed_articles: {
    insert: `insert into feed_articles (feed_id, item_key, merge_key, title, link, published_at, description) values ('${ids.feed}', 'k', 'm', 't', '#', now(), '')`,
    change: `title = 'x'`,
    shared: true,
  },
  user_rss_subscription: {
    insert: `insert into user_rss_subscription (user_id, journal_id, project_id) values ('${ALICE}', '${ids.journal}', '${ids.project}')`,
    change: `created_at = now()`,
  },
  feed_article_marks: {
    insert: `insert into feed_article_marks (user_id, merge_key) values ('${ALICE}', 'm')`,
    change: `starred = true`,
  },
  research_recommendation: {
    insert: `insert into research_recommendation (owner_id, project_id, title) values ('${ALICE}', '${ids.project}', 'T')`,
    change: `status = 'rejected'`,
  },
  prompt_library: {
    insert: `insert into prompt_library (name, model, prompt) values ('p', 'm', 'p')`,
    change: `name = 'x'`,
    shared: true,
  },
  prompt_versions: {
    // A trigger has kept the first one.
    insert: `insert into prompt_versions (prompt_id, version, name, model, prompt) select id, 1, name, model, prompt from prompt_library on conflict do nothing`,
    change: `prompt = 'x'`,
    shared: true,
  },
  audit_log: {
    insert: `insert into audit_log (actor_id, action) values ('${ALICE}', 'person.disabled')`,
    change: `action = 'x'`,
    admins: true,
  },
  ai_calls: {
    insert: `insert into ai_calls (user_id, purpose, model, tokens_in, tokens_out, cost_usd, milliseconds, ok) values ('${ALICE}', 'answer', 'm', 1, 1, 0, 1, true)`,
    change: `model = 'x'`,
  },
  ai_usage_daily: {
    // A trigger has made the row with its call.
    insert: `insert into ai_usage_daily values ((now() at time zone 'UTC')::date, '${ALICE}', 'm', 'answer', 1, 0, 1, 1, 0) on conflict do nothing`,
    change: `calls = 0`,
  },
  ai_prices: {
    insert: `insert into ai_prices (model, dollars_in, dollars_out) values ('m', 1, 2)`,
    change: `dollars_in = 0`,
    shared: true,
  },
  ai_budgets: {
    insert: `insert into ai_budgets (scope, user_id, dollars) values ('person', '${ALICE}', 5)`,
    change: `dollars = 500`,
  },
}

let folder: string
let pool: pg.Pool
let appRole: string
let close: () => Promise<void>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-rls-'))
  process.env['DATA_DIR'] = folder
  const database = await createDatabase()
  if (database) process.env['DATABASE_URL'] = database.url
  else delete process.env['DATABASE_URL']
  const { openDatabase } = await import('#server/db/client.ts')
  const { migrateDatabase } = await import('#server/db/migrate.ts')
  const opened = await openDatabase()
  await migrateDatabase()
  pool = opened.pool
  appRole = opened.appRole!
  close = async () => {
    await opened.close()
    await database?.drop()
  }
  for (const id of [ALICE, BOB])
    await pool.query(`insert into "user" (id, name, email) values ($1, $1, $2)`, [id, `${id}@example.org`])
  await pool.query(`insert into profiles (id, email) values ('${BOB}', 'bob@example.org')`)
  for (const rule of Object.values(TABLES)) if (rule !== 'closed') await pool.query(rule.insert)
})

afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs one statement like a request of `user`, then rolls back. Returns the number of rows or the SQLSTATE of the refusal. */
async function as(user: string | null, statement: string): Promise<{ rows: number } | { refused: string | undefined }> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('role', $2, true), set_config('app.user_id', $1, true)`, [
      user ?? '',
      appRole,
    ])
    const result = await client.query(statement)
    return { rows: result.rowCount ?? 0 }
  } catch (error) {
    return { refused: (error as { code?: string }).code }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const NO_PRIVILEGE = '42501'
const where = (table: string) => (table === 'profiles' ? ` where id = '${ALICE}'` : '')

describe('row-level security', () => {
  it('Row-level security has a rule for every table (SEC-12)', async () => {
    const { rows } = await pool.query<{ name: string; secured: boolean }>(
      `select relname as name, relrowsecurity as secured from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    expect(rows.map((row) => row.name)).toEqual(Object.keys(TABLES).sort())
    for (const row of rows) expect([row.name, row.secured]).toEqual([row.name, TABLES[row.name] !== 'closed'])
  })

  for (const [table, rule] of Object.entries(TABLES)) {
    if (rule === 'closed') {
      it(`${table}: closed to everyone's requests`, async () => {
        for (const user of [ALICE, BOB, null])
          expect(await as(user, `select * from "${table}"`)).toEqual({ refused: NO_PRIVILEGE })
      })
      continue
    }
    it(`${table}: its owner sees the row`, async () => {
      expect(await as(ALICE, `select * from ${table}${where(table)}`)).toEqual({ rows: rule.admins ? 0 : 1 })
    })
    for (const [who, user] of [
      ['another user', BOB],
      ['no user', null],
    ] as const) {
      it(`${table}: ${who} reads and writes nothing (TAG-04, SEC-12)`, async () => {
        const readable = rule.shared && user !== null ? 1 : 0
        expect(await as(user, `select * from ${table}${where(table)}`)).toEqual({ rows: readable })
        for (const statement of [
          `update ${table} set ${rule.change}${where(table)}`,
          `delete from ${table}${where(table)}`,
        ])
          expect([{ rows: 0 }, { refused: NO_PRIVILEGE }]).toContainEqual(await as(user, statement))
        // Checked before any unique key: the rule refuses the row, or the role may not insert at all.
        expect(await as(user, rule.insert)).toEqual({ refused: NO_PRIVILEGE })
      })
    }
  }

  it('A user cannot become an admin, and cannot give a row to another user', async () => {
    expect(await as(ALICE, `update profiles set is_admin = true where id = '${ALICE}'`)).toEqual({
      refused: NO_PRIVILEGE,
    })
    expect(await as(ALICE, `update projects set owner_id = '${BOB}'`)).toHaveProperty('refused')
  })

  it('A deleted row is hidden with all its dependent rows, except in a transaction that requests deleted rows', async () => {
    const HANGS = {
      documents: ['documents', 'document_search', 'document_tags', 'chunks', 'chunk_sentences', 'jobs'],
      projects: ['projects', 'project_tags', 'user_rss_subscription', 'research_recommendation'],
    }
    await pool.query(`update jobs set document_id = '${ids.document}'`)
    for (const [table, hidden] of Object.entries(HANGS)) {
      await pool.query(`update ${table} set deleted_at = now()`)
      for (const one of hidden) {
        expect([one, await as(ALICE, `select * from ${one}`)]).toEqual([one, { rows: 0 }])
        const asked = `select s.* from (select set_config('app.sees_deleted', 'on', true)) _ cross join lateral (select * from ${one}) s`
        expect([one, await as(BOB, asked)]).toEqual([one, { rows: 0 }])
        expect([one, await as(ALICE, asked)]).toEqual([one, { rows: 1 }])
      }
    }
    expect(await as(ALICE, `select * from documents_of_keywords(array['T'])`)).toEqual({ rows: 0 })
    // A deleted project takes no document.
    const into = `insert into documents (owner_id, project_id, filename) values ('${ALICE}', '${ids.project}', 'b.pdf')`
    expect(await as(ALICE, into)).toEqual({ refused: '23503' })
    await pool.query(`update projects set deleted_at = null; update documents set deleted_at = null`)
    expect(await as(ALICE, `select * from documents_of_keywords(array['T'])`)).toEqual({ rows: 1 })
    expect(await as(BOB, `select * from documents_of_keywords(array['T'])`)).toEqual({ rows: 0 })
    expect(await as(ALICE, into)).toEqual({ rows: 1 })
  })

  it('A personal feed, its journal and its articles are visible to their user only, and admins see the journal on request', async () => {
    const mine = `owner_id = '${ALICE}'`
    await pool.query(`update journals set ${mine}, rss_feed_url = 'https://example.org/feed'; update feeds set ${mine}`)
    const search = `select * from search_feed_articles(array['${ids.feed}']::uuid[], to_tsquery('english', 't'))`
    const asked = (table: string) =>
      `select s.* from (select set_config('app.sees_personal', 'on', true)) _ cross join lateral (select * from ${table}) s`
    for (const table of ['journals', 'feeds', 'feed_articles']) {
      expect([table, await as(ALICE, `select * from ${table}`)]).toEqual([table, { rows: 1 }])
      for (const statement of [`select * from ${table}`, asked(table)])
        expect([table, await as(BOB, statement)]).toEqual([table, { rows: 0 }])
    }
    expect(await as(BOB, search)).toEqual({ rows: 0 })
    expect(await as(BOB, `select * from search_journals('%')`)).toEqual({ rows: 0 })
    expect(await as(ALICE, `select * from search_journals('%')`)).toEqual({ rows: 1 })
    // No user adds a feed to the catalog, or to another user.
    for (const owner of ['null', `'${ALICE}'`])
      expect(
        await as(
          BOB,
          `insert into journals (name, rss_feed_url, user_added, added_by, owner_id) values ('N', 'https://x.org/', true, '${BOB}', ${owner})`,
        ),
      ).toEqual({ refused: NO_PRIVILEGE })
    await pool.query(`update profiles set is_admin = true where id = '${BOB}'`)
    expect(await as(BOB, 'select * from journals')).toEqual({ rows: 0 })
    expect(await as(BOB, asked('journals'))).toEqual({ rows: 1 })
    for (const table of ['feeds', 'feed_articles']) expect(await as(BOB, asked(table))).toEqual({ rows: 0 })
    await pool.query(`update profiles set is_admin = false where id = '${BOB}'`)
    await pool.query('update journals set owner_id = null, rss_feed_url = null; update feeds set owner_id = null')
  })

  it('A document cannot be put into a project of another user', async () => {
    expect(
      await as(
        BOB,
        `insert into documents (owner_id, project_id, filename) values ('${BOB}', '${ids.project}', 'b.pdf')`,
      ),
    ).toEqual({ refused: '23503' })
  })
})
