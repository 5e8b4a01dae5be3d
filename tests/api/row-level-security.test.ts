import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_ROLES, type ProjectRight, RIGHTS_OF } from '#shared/contract/roles.ts'
import { createDatabase } from '#tests/helpers/test-database.ts'

/**
 * This file tests row-level security: it queries the database directly, with the role that the server uses for requests, as
 * another user and without a user. TABLES must list every table of the database; the test fails for a table that is not listed.
 */

const ALICE = 'alice'
const BOB = 'bob'
const ids = {
  project: '00000000-0000-4000-8000-000000000001',
  tag: '00000000-0000-4000-8000-000000000002',
  document: '00000000-0000-4000-8000-000000000003',
  loose: '00000000-0000-4000-8000-000000000013',
  twin: '00000000-0000-4000-8000-000000000023',
  chunk: '00000000-0000-4000-8000-000000000004',
  journal: '00000000-0000-4000-8000-000000000005',
  feed: '00000000-0000-4000-8000-0000000000f1',
  import: '00000000-0000-4000-8000-0000000000f2',
  key: '00000000-0000-4000-8000-0000000000f3',
  conversation: '00000000-0000-4000-8000-0000000000f4',
  message: '00000000-0000-4000-8000-0000000000f5',
  library: '00000000-0000-4000-8000-0000000000f3',
}

const RECORDED = { select: 'read', insert: 'edit', update: 'edit' } as const
const VERBS = ['select', 'insert', 'update', 'delete'] as const

interface Rule {
  /** SQL that inserts a row of Alice. */
  insert: string
  /** The SET clause of an UPDATE of the row. */
  change: string
  /** The SQL condition that selects the row of Alice, if members can also see other rows of the table. */
  where?: string
  /**
   * Who may use the row. An object: members whose role has this right, by verb; no request may use a verb that is not listed.
   * 'shared': every signed-in user. 'admins': admins. 'personal': Alice only.
   */
  access: Partial<Record<(typeof VERBS)[number], ProjectRight>> | 'shared' | 'admins' | 'personal'
  /** The verbs that, among the members, only the author of the row may use. */
  ofAuthor?: readonly (typeof VERBS)[number][]
}

const EDITED = { select: 'read', insert: 'edit', update: 'edit', delete: 'edit' } as const
const MANAGED = { select: 'read', insert: 'manage', update: 'manage', delete: 'manage' } as const
const LINKED = { select: 'read', insert: 'edit', delete: 'edit' } as const
const WRITTEN_BY_SERVER = { select: 'read' } as const

/** The expected access to every table of the database. 'closed': the role of requests has no rights on the table. */
const TABLES: Record<string, Rule | 'closed'> = {
  user: 'closed',
  session: 'closed',
  account: 'closed',
  verification: 'closed',
  rate_limit: 'closed',
  removed_files: 'closed',
  trash_pass: 'closed',
  vector_renewal: 'closed',
  duplicate_checks: 'closed',
  duplicate_keys: 'closed',
  index_pause: 'closed',
  factor: 'closed',
  factor_challenge: 'closed',
  backup_code: 'closed',
  outbox: 'closed',
  journal_imports: 'closed',
  profiles: {
    insert: `insert into profiles (id, email) values ('${ALICE}', 'alice@example.org')`,
    change: `full_name = 'x'`,
    where: `id = '${ALICE}'`,
    access: 'personal',
  },
  projects: {
    insert: `insert into projects (id, owner_id, name) values ('${ids.project}', '${ALICE}', 'P')`,
    change: `name = 'x'`,
    access: { ...MANAGED, insert: 'read' },
  },
  project_members: {
    // A trigger has inserted the row of the owner with the project.
    insert: `insert into project_members (project_id, user_id, role) values ('${ids.project}', '${ALICE}', 'owner') on conflict do nothing`,
    change: `role = 'owner'`,
    where: `user_id = '${ALICE}'`,
    access: MANAGED,
  },
  project_budgets: {
    insert: `insert into project_budgets (project_id, dollars) values ('${ids.project}', 5)`,
    change: `dollars = 500`,
    access: { select: 'manage', insert: 'manage', update: 'manage', delete: 'manage' },
  },
  invitations: {
    insert: `insert into invitations (project_id, email, role, token_hash, expires_at) values ('${ids.project}', 'x@example.org', 'viewer', 'x', now())`,
    change: `message = 'x'`,
    access: { select: 'manage', insert: 'manage', update: 'manage', delete: 'manage' },
  },
  tags: {
    insert: `insert into tags (id, created_by, project_id, name) values ('${ids.tag}', '${ALICE}', '${ids.project}', 't')`,
    change: `name = 'x'`,
    access: EDITED,
  },
  project_tags: {
    insert: `insert into project_tags (project_id, tag_id) values ('${ids.project}', '${ids.tag}')`,
    change: `created_at = now()`,
    access: LINKED,
  },
  journals: {
    insert: `insert into journals (id, name, user_added, added_by) values ('${ids.journal}', 'J', true, '${ALICE}')`,
    change: `name = 'x'`,
    access: 'shared',
  },
  excluded_journals: {
    insert: `insert into excluded_journals (openalex_id, journal_name) values ('S1', 'J')`,
    change: `reason = 'x'`,
    access: 'shared',
  },
  uploads: {
    insert: `insert into uploads (id, owner_id) values ('${ids.document}', '${ALICE}')`,
    change: `is_paused = true`,
    access: 'personal',
  },
  documents: {
    insert: `insert into documents (id, created_by, project_id, filename) values ('${ids.document}', '${ALICE}', '${ids.project}', 'a.pdf'), ('${ids.twin}', '${ALICE}', '${ids.project}', 'b.pdf')`,
    change: `title = 'x'`,
    where: `id = '${ids.document}'`,
    access: EDITED,
  },
  document_search: {
    // A trigger has inserted the row with the document.
    insert: `insert into document_search (document_id, created_by, created_at, words, head, whole) values ('${ids.document}', '${ALICE}', now(), '', '', '') on conflict do nothing`,
    change: `words = 'x'`,
    where: `document_id = '${ids.document}'`,
    access: WRITTEN_BY_SERVER,
  },
  document_tags: {
    insert: `insert into document_tags (document_id, tag_id) values ('${ids.document}', '${ids.tag}')`,
    change: `created_at = now()`,
    access: LINKED,
  },
  imports: {
    insert: `insert into imports (id, project_id, created_by, kind) values ('${ids.import}', '${ids.project}', '${ALICE}', 'upload')`,
    change: `source_name = 'x'`,
    access: RECORDED,
  },
  import_records: {
    insert: `insert into import_records (import_id, project_id, position, outcome) values ('${ids.import}', '${ids.project}', 1, 'created')`,
    change: `reason = 'x'`,
    access: RECORDED,
  },
  duplicate_pairs: {
    insert: `insert into duplicate_pairs (project_id, first_id, second_id, group_id, likeness, title_likeness, title_begins, equal) values ('${ids.project}', '${ids.document}', '${ids.twin}', '${ids.document}', 'suspected', 1, false, '{}')`,
    change: `title_likeness = 0`,
    access: WRITTEN_BY_SERVER,
  },
  duplicate_answers: {
    insert: `insert into duplicate_answers (project_id, first_id, second_id, answer) values ('${ids.project}', '${ids.document}', '${ids.twin}', 'later')`,
    change: `answer = 'refused'`,
    access: EDITED,
  },
  joined_papers: {
    insert: `insert into joined_papers (project_id, kept_id, joined_id, title, undo) values ('${ids.project}', '${ids.document}', '${ids.twin}', 'T', '{}')`,
    change: `undone_at = now()`,
    access: RECORDED,
  },
  zotero_connections: {
    insert: `insert into zotero_connections (user_id, server, sealed_key, last_four, username, libraries) values ('${ALICE}', 'x', 'x', 'x', 'x', '[]')`,
    change: `username = 'y'`,
    where: `user_id = '${ALICE}'`,
    access: 'personal',
  },
  zotero_libraries: {
    insert: `insert into zotero_libraries (id, project_id, created_by, server, library, library_name, with_subcollections, with_pdfs, with_tags, synchronize) values ('${ids.library}', '${ids.project}', '${ALICE}', 'x', 'users/1', 'x', true, true, true, 'never')`,
    change: `library_name = 'y'`,
    access: EDITED,
  },
  zotero_items: {
    insert: `insert into zotero_items (zotero_library_id, project_id, item_key, version, reference, file) values ('${ids.library}', '${ids.project}', 'A', 1, '{}', 'none')`,
    change: `version = 2`,
    access: EDITED,
  },
  chunks: {
    insert: `insert into chunks (id, document_id, created_by, position, content, page_number, page_offset, is_reference, model, dimension) values ('${ids.chunk}', '${ids.document}', '${ALICE}', 0, 'c', 1, 0, false, 'm', 2)`,
    change: `content = 'x'`,
    access: EDITED,
  },
  chunk_sentences: {
    insert: `insert into chunk_sentences (chunk_id, document_id, created_by, start_offset, end_offset, embedding) values ('${ids.chunk}', '${ids.document}', '${ALICE}', 0, 1, '[1,0]')`,
    change: `start_offset = 1`,
    access: EDITED,
  },
  indexed_documents: {
    insert: `insert into indexed_documents (document_id, project_id, created_by) values ('${ids.document}', '${ids.project}', '${ALICE}') on conflict (document_id) do nothing`,
    change: `is_stale = false`,
    where: `document_id = '${ids.document}'`,
    access: { select: 'read', update: 'edit' },
  },
  chunk_terms: {
    insert: `insert into chunk_terms (document_id, project_id, created_by, term, positions, counts, lengths) values ('${ids.document}', '${ids.project}', '${ALICE}', 'sleep', '{0}', '{1}', '{1}')`,
    change: `term = 'x'`,
    access: EDITED,
  },
  saved_searches: {
    insert: `insert into saved_searches (project_id, created_by, name, query) values ('${ids.project}', '${ALICE}', 'S', '{"q":"naps"}')`,
    change: `name = 'x'`,
    access: 'personal',
  },
  evidence: {
    insert: `insert into evidence (project_id, created_by, document_id, subject_kind, subject_id, visibility, text_version, quote, prefix, suffix, match, score) values ('${ids.project}', '${ALICE}', '${ids.document}', 'message', '${ids.key}', 'project', 0, 'q', '', '', 'exact', 1)`,
    change: `lost = true`,
    access: { select: 'read', insert: 'ask', update: 'ask' },
  },
  jobs: {
    insert: `insert into jobs (created_by, project_id, kind) values ('${ALICE}', '${ids.project}', 'ocr')`,
    change: `error = 'x'`,
    access: WRITTEN_BY_SERVER,
  },
  events: {
    insert: `insert into events (project_id, event, data) values ('${ids.project}', 'job', '{}')`,
    change: `event = 'x'`,
    access: WRITTEN_BY_SERVER,
  },
  notices: {
    insert: `insert into notices (user_id, kind, data) values ('${ALICE}', 'owner_changed', '{}')`,
    change: `read_at = now()`,
    access: 'personal',
  },
  api_keys: {
    insert: `insert into api_keys (id, user_id, name, prefix, hash, scopes, all_projects) values ('${ids.key}', '${ALICE}', 'K', 'lct_x', 'h', '{read}', false)`,
    change: `revoked_at = now()`,
    access: 'personal',
  },
  api_key_projects: {
    insert: `insert into api_key_projects (key_id, project_id) values ('${ids.key}', '${ids.project}')`,
    change: `key_id = key_id`,
    access: 'personal',
  },
  api_key_calls: {
    insert: `insert into api_key_calls (key_id, user_id, called_at, route, status, milliseconds, network) values ('${ids.key}', '${ALICE}', now(), 'GET /', 200, 1, '')`,
    change: `status = 1`,
    access: 'personal',
  },
  feeds: {
    insert: `insert into feeds (id, url) values ('${ids.feed}', 'https://example.org/feed')`,
    change: `failures = 1`,
    access: 'shared',
  },
  feed_articles: {
    insert: `insert into feed_articles (feed_id, item_key, merge_key, title, link, published_at, description) values ('${ids.feed}', 'k', 'm', 't', '#', now(), '')`,
    change: `title = 'x'`,
    access: 'shared',
  },
  user_rss_subscription: {
    insert: `insert into user_rss_subscription (user_id, journal_id, project_id) values ('${ALICE}', '${ids.journal}', '${ids.project}')`,
    change: `created_at = now()`,
    access: EDITED,
  },
  feed_article_marks: {
    insert: `insert into feed_article_marks (user_id, merge_key) values ('${ALICE}', 'm')`,
    change: `starred = true`,
    access: 'personal',
  },
  conversations: {
    insert: `insert into conversations (id, project_id, created_by, visibility) values ('${ids.conversation}', '${ids.project}', '${ALICE}', 'project')`,
    change: `title = 'x'`,
    access: { select: 'read', insert: 'ask', update: 'ask', delete: 'ask' },
    ofAuthor: ['update', 'delete'],
  },
  messages: {
    insert: `insert into messages (id, conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status) values ('${ids.message}', '${ids.conversation}', '${ids.project}', '${ALICE}', 'Q', '{}', true, 'done')`,
    change: `status = 'failed'`,
    access: { select: 'read', insert: 'ask', update: 'ask' },
    ofAuthor: ['insert', 'update'],
  },
  message_feedback: {
    insert: `insert into message_feedback (message_id, user_id, helpful) values ('${ids.message}', '${ALICE}', true)`,
    change: `helpful = false`,
    access: 'personal',
  },
  research_recommendation: {
    insert: `insert into research_recommendation (created_by, project_id, title) values ('${ALICE}', '${ids.project}', 'T')`,
    change: `status = 'rejected'`,
    access: EDITED,
  },
  citation_styles: {
    insert: `insert into citation_styles (style_id, title, xml, bytes) values ('http://example.org/s', 's', '<style/>', 8)`,
    change: `title = 'x'`,
    access: 'shared',
  },
  prompt_library: {
    insert: `insert into prompt_library (name, model, prompt) values ('p', 'm', 'p')`,
    change: `name = 'x'`,
    access: 'shared',
  },
  prompt_versions: {
    // A trigger has inserted the first version.
    insert: `insert into prompt_versions (prompt_id, version, name, model, prompt) select id, 1, name, model, prompt from prompt_library on conflict do nothing`,
    change: `prompt = 'x'`,
    access: 'shared',
  },
  document_edits: {
    insert: `insert into document_edits (document_id, field, former, edited_by) values ('${ids.document}', 'title', '"x"', '${ALICE}')`,
    change: `field = 'summary'`,
    access: WRITTEN_BY_SERVER,
  },
  runs: {
    insert: `insert into runs (project_id, number, created_by, via, kind, title, model, model_settings, prompt_text, prompt_text_hash, code_version, input, input_hash)
      values ('${ids.project}', 1, '${ALICE}', 'web', 'analysis', 't', 'm', '{}', '', '', '', '{"documents": []}', '')`,
    change: `title = 'x'`,
    access: WRITTEN_BY_SERVER,
  },
  audit_log: {
    insert: `insert into audit_log (actor_id, action) values ('${ALICE}', 'person.disabled')`,
    change: `action = 'x'`,
    access: 'admins',
  },
  ai_calls: {
    insert: `insert into ai_calls (user_id, purpose, model, tokens_in, tokens_out, cost_usd, milliseconds, ok) values ('${ALICE}', 'answer', 'm', 1, 1, 0, 1, true)`,
    change: `model = 'x'`,
    access: 'personal',
  },
  ai_usage_daily: {
    // A trigger has inserted the row with the call.
    insert: `insert into ai_usage_daily values ((now() at time zone 'UTC')::date, '${ALICE}', 'm', 'answer', 1, 0, 1, 1, 0) on conflict do nothing`,
    change: `calls = 0`,
    access: 'personal',
  },
  ai_prices: {
    insert: `insert into ai_prices (model, dollars_in, dollars_out) values ('m', 1, 2)`,
    change: `dollars_in = 0`,
    access: 'shared',
  },
  ai_budgets: {
    insert: `insert into ai_budgets (scope, user_id, dollars) values ('person', '${ALICE}', 5)`,
    change: `dollars = 500`,
    access: 'personal',
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
  for (const role of PROJECT_ROLES) {
    await pool.query(`insert into "user" (id, name, email) values ($1, $1, $2)`, [role, `${role}@example.org`])
    await pool.query('insert into project_members (project_id, user_id, role) values ($1, $2, $2)', [ids.project, role])
  }
})

afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * The restrictions of an API key in the format of the database settings: lists of its rights and its projects. '' is no
 * restriction.
 */
interface Key {
  rights: string
  projects: string
}

/**
 * Runs one statement with the rights of a request of `user` (null: no user), restricted by an API key if one is given. Rolls
 * the transaction back. Returns the number of rows, or the SQLSTATE of the error.
 */
async function as(
  user: string | null,
  statement: string,
  key: Key = { rights: '', projects: '' },
): Promise<{ rows: number } | { refused: string | undefined }> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `select set_config('role', $2, true), set_config('app.user_id', $1, true),
        set_config('app.key_rights', $3, true), set_config('app.key_projects', $4, true)`,
      [user ?? '', appRole, key.rights, key.projects],
    )
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
const where = (rule: Rule) => (rule.where ? ` where ${rule.where}` : '')

it.each(PROJECT_ROLES)('The database gives the role %s the rights of the table in shared (SHR-02)', async (role) => {
  const { rows } = await pool.query<{ rights: string[] }>('select app_rights($1) as rights', [role])
  expect(rows[0]!.rights).toEqual(RIGHTS_OF[role])
})

describe('row-level security', () => {
  it('Row-level security has a rule for every table (SEC-12, SHR-04)', async () => {
    const { rows } = await pool.query<{ name: string; secured: boolean }>(
      `select relname as name, relrowsecurity as secured from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    expect(rows.map((row) => row.name)).toEqual(Object.keys(TABLES).sort())
    for (const row of rows) expect([row.name, row.secured]).toEqual([row.name, TABLES[row.name] !== 'closed'])
  })

  for (const [table, rule] of Object.entries(TABLES)) {
    if (rule === 'closed') {
      it(`${table}: no request can read the table`, async () => {
        for (const user of [ALICE, BOB, null])
          expect(await as(user, `select * from "${table}"`)).toEqual({ refused: NO_PRIVILEGE })
      })
      continue
    }
    const statements = {
      select: `select * from ${table}${where(rule)}`,
      update: `update ${table} set ${rule.change}${where(rule)}`,
      delete: `delete from ${table}${where(rule)}`,
    }
    it(`${table}: its owner sees the row`, async () => {
      expect(await as(ALICE, statements.select)).toEqual({ rows: rule.access === 'admins' ? 0 : 1 })
    })
    for (const [who, user] of [
      ['another user', BOB],
      ['no user', null],
    ] as const) {
      it(`${table}: ${who} reads and writes nothing (TAG-04, SEC-12)`, async () => {
        const readable = rule.access === 'shared' && user !== null ? 1 : 0
        expect(await as(user, statements.select)).toEqual({ rows: readable })
        for (const statement of [statements.update, statements.delete])
          expect([{ rows: 0 }, { refused: NO_PRIVILEGE }]).toContainEqual(await as(user, statement))
        // Checked before any unique key: the rule refuses the row, or the role may not insert at all.
        expect(await as(user, rule.insert)).toEqual({ refused: NO_PRIVILEGE })
      })
    }
    it.each(PROJECT_ROLES)(
      `${table}: a member with the role %s has exactly the rights of the role (SHR-02, SHR-04)`,
      async (role) => {
        for (const verb of VERBS) {
          const right = typeof rule.access === 'object' ? rule.access[verb] : undefined
          const isAllowed = rule.ofAuthor?.includes(verb)
            ? false
            : right === undefined
              ? rule.access === 'shared' && verb === 'select'
              : RIGHTS_OF[role].includes(right)
          // A member can insert rows only with the own id as creator.
          const own = typeof rule.access === 'object' ? rule.insert.replaceAll(ALICE, role) : rule.insert
          const statement = verb === 'insert' ? own : statements[verb]
          const result = await as(role, statement)
          // A unique key, a foreign key or a trigger may still refuse a permitted statement.
          const isDone = 'rows' in result ? result.rows > 0 || verb === 'insert' : result.refused !== NO_PRIVILEGE
          expect([table, verb, isDone, result]).toEqual([table, verb, isAllowed, result])
        }
      },
    )
  }

  it('An API key has the rights of its scopes in its projects only, and none in its account (KEY-06)', async () => {
    const elsewhere = `{${ids.document}}`
    const here = `{${ids.project}}`
    for (const [table, rule] of Object.entries(TABLES)) {
      if (typeof rule !== 'object' || typeof rule.access !== 'object') continue
      const statements = {
        select: `select * from ${table}${where(rule)}`,
        insert: rule.insert,
        update: `update ${table} set ${rule.change}${where(rule)}`,
        delete: `delete from ${table}${where(rule)}`,
      }
      for (const projects of [elsewhere, '{}', here])
        for (const rights of ['read', 'read,comment,edit', 'read,ask'])
          for (const verb of VERBS) {
            const right = rule.access[verb]
            const isAllowed = projects === here && right !== undefined && rights.split(',').includes(right)
            // The insertion of a project needs no right in it.
            if (table === 'projects' && verb === 'insert') continue
            const result = await as(ALICE, statements[verb], { rights, projects })
            const isDone = 'rows' in result ? result.rows > 0 || verb === 'insert' : result.refused !== NO_PRIVILEGE
            expect([table, verb, rights, projects, isDone]).toEqual([table, verb, rights, projects, isAllowed])
          }
    }
    const key = { rights: 'read,comment,ask,edit', projects: '' }
    expect(await as(ALICE, `insert into projects (owner_id, name) values ('${ALICE}', 'N')`, key)).toEqual({
      refused: NO_PRIVILEGE,
    })
    for (const table of ['api_keys', 'api_key_projects', 'api_key_calls', 'notices'])
      expect([table, await as(ALICE, `select * from ${table}`, key)]).toEqual([table, { rows: 0 }])
    expect(await as(ALICE, `update profiles set full_name = 'x' where id = '${ALICE}'`, key)).toEqual({ rows: 0 })
    expect(await as('viewer', `delete from project_members where user_id = 'viewer'`, key)).toEqual({ rows: 0 })
    await pool.query(`update profiles set is_admin = true where id = '${ALICE}'`)
    expect(await as(ALICE, 'select * from audit_log', key)).toEqual({ rows: 0 })
    expect(await as(ALICE, 'select * from audit_log')).toEqual({ rows: 1 })
    await pool.query(`update profiles set is_admin = false where id = '${ALICE}'`)
    const words = `select * from documents_of_keywords(array['T'])`
    expect(await as(ALICE, words, { rights: 'read', projects: here })).toEqual({ rows: 1 })
    expect(await as(ALICE, words, { rights: 'read', projects: elsewhere })).toEqual({ rows: 0 })
  })

  it('Evidence of a private subject is visible to its creator only (SHR-09)', async () => {
    await pool.query(`update evidence set visibility = 'me'`)
    expect(await as(ALICE, 'select * from evidence')).toEqual({ rows: 1 })
    for (const role of PROJECT_ROLES) {
      expect([role, await as(role, 'select * from evidence')]).toEqual([role, { rows: 0 }])
      expect([role, await as(role, 'update evidence set lost = true')]).toEqual([role, { rows: 0 }])
    }
    await pool.query(`update evidence set visibility = 'project'`)
  })

  it('A policy reads the projects of the caller once for each statement (SHR-05)', async () => {
    const { rows } = await pool.query<{ name: string; rule: string }>(
      `select tablename || ' ' || policyname as name, concat_ws(' ', qual, with_check) as rule from pg_policies`,
    )
    const calls = (pattern: RegExp) =>
      rows.flatMap(({ name, rule }) => [...rule.matchAll(pattern)].map(([call]) => [name, call]))
    const all = calls(/app_(?:projects|can)\(/g)
    expect(all.length).toBeGreaterThan(Object.keys(TABLES).length)
    // PostgreSQL evaluates a subquery without a reference to the row once.
    expect(all).toHaveLength(calls(/ARRAY\( SELECT app_projects\('\w+'::text\)/g).length)
  })

  it('A user cannot become an admin, and cannot give a row to another user', async () => {
    expect(await as(ALICE, `update profiles set is_admin = true where id = '${ALICE}'`)).toEqual({
      refused: NO_PRIVILEGE,
    })
    expect(await as(ALICE, `update projects set owner_id = '${BOB}'`)).toHaveProperty('refused')
  })

  it('A deleted row is hidden with all its dependent rows, except in a transaction that requests deleted rows', async () => {
    const HANGS = {
      documents: [
        'documents',
        'document_search',
        'document_tags',
        'chunks',
        'chunk_sentences',
        'indexed_documents',
        'chunk_terms',
        'evidence',
        'jobs',
      ],
      projects: [
        'projects',
        'project_tags',
        'user_rss_subscription',
        'research_recommendation',
        'conversations',
        'messages',
        'message_feedback',
      ],
    }
    await pool.query(`update jobs set document_id = '${ids.document}'`)
    for (const [table, hidden] of Object.entries(HANGS)) {
      await pool.query(`update ${table} set deleted_at = now()`)
      for (const one of hidden) {
        const { where: only } = TABLES[one] as Rule
        const rows = only ? `select * from ${one} where ${only}` : `select * from ${one}`
        expect([one, await as(ALICE, rows)]).toEqual([one, { rows: 0 }])
        const asked = `select s.* from (select set_config('app.sees_deleted', 'on', true)) _ cross join lateral (${rows}) s`
        expect([one, await as(BOB, asked)]).toEqual([one, { rows: 0 }])
        expect([one, await as(ALICE, asked)]).toEqual([one, { rows: 1 }])
      }
    }
    expect(await as(ALICE, `select * from documents_of_keywords(array['T'])`)).toEqual({ rows: 0 })
    // A deleted project accepts no document.
    const into = `insert into documents (created_by, project_id, filename) values ('${ALICE}', '${ids.project}', 'b.pdf')`
    expect(await as(ALICE, into)).toEqual({ refused: '23503' })
    await pool.query(`update projects set deleted_at = null; update documents set deleted_at = null`)
    expect(await as(ALICE, `select * from documents_of_keywords(array['T'])`)).toEqual({ rows: 1 })
    expect(await as(BOB, `select * from documents_of_keywords(array['T'])`)).toEqual({ rows: 0 })
    expect(await as(ALICE, into)).toEqual({ rows: 1 })
  })

  it('A private conversation is visible to its author only, and a chat to the readers of its document (SHR-09)', async () => {
    const read = (table: string) => `select * from ${table}`
    await pool.query(`update conversations set visibility = 'me'`)
    for (const user of PROJECT_ROLES)
      for (const table of ['conversations', 'messages'])
        expect([user, table, await as(user, read(table))]).toEqual([user, table, { rows: 0 }])
    expect(await as(ALICE, read('messages'))).toEqual({ rows: 1 })
    await pool.query(`update conversations set visibility = 'project', document_id = '${ids.document}'`)
    expect(await as('viewer', read('messages'))).toEqual({ rows: 1 })
    const other = '00000000-0000-4000-8000-0000000000f6'
    await pool.query(`insert into projects (id, owner_id, name) values ('${other}', '${BOB}', 'Other')`)
    const move = (project: string) =>
      pool.query(`update documents set project_id = '${project}' where id = '${ids.document}'`)
    await move(other)
    // The members of the other project read it only after its author has decided so.
    expect([await as(ALICE, read('messages')), await as(BOB, read('messages'))]).toEqual([{ rows: 0 }, { rows: 0 }])
    await move(ids.project)
    expect([await as(ALICE, read('messages')), await as('viewer', read('messages'))]).toEqual([
      { rows: 1 },
      { rows: 0 },
    ])
    await pool.query(`update conversations set document_id = null, visibility = 'project'`)
    await pool.query(`delete from projects where id = '${other}'`)
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

  it('Rows without a project are visible to the account that created them only (SHR-03)', async () => {
    await pool.query(`
      insert into documents (id, created_by, filename) values ('${ids.loose}', '${ALICE}', 'l.pdf');
      insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension)
        values ('${ids.loose}', 0, 'c', 1, 0, false, 'm', 2);
      insert into tags (created_by, name) values ('${ALICE}', 'loose');
      insert into jobs (created_by, kind) values ('${ALICE}', 'journals');
      insert into events (owner_id, event, data) values ('${ALICE}', 'job', '{}')`)
    for (const table of ['documents', 'document_search', 'chunks', 'tags', 'jobs', 'events']) {
      const own = `select * from ${table} where project_id is null`
      for (const user of [BOB, ...PROJECT_ROLES])
        expect([table, user, await as(user, own)]).toEqual([table, user, { rows: 0 }])
      expect([table, await as(ALICE, own)]).toEqual([table, { rows: 1 }])
      // An API key that is limited to projects does not reach these rows.
      expect([table, await as(ALICE, own, { rights: 'read', projects: '' })]).toEqual([table, { rows: 1 }])
      const key = { rights: 'read,edit', projects: `{${ids.project}}` }
      expect([table, await as(ALICE, own, key)]).toEqual([table, { rows: 0 }])
    }
    const search = `select * from search_hits(null, to_tsquery('english', 'l'), '%l.pdf%')`
    expect(await as(ALICE, search)).toEqual({ rows: 1 })
    expect(await as(ALICE, search, { rights: 'read', projects: `{${ids.project}}` })).toEqual({ rows: 0 })
    for (const key of [
      { rights: 'read', projects: '' },
      { rights: 'read,edit', projects: `{${ids.project}}` },
    ])
      for (const statement of [
        `update documents set title = 'x' where id = '${ids.loose}'`,
        `insert into documents (created_by, filename) values ('${ALICE}', 'k.pdf')`,
      ])
        expect([{ rows: 0 }, { refused: NO_PRIVILEGE }]).toContainEqual(await as(ALICE, statement, key))
    // An editor moves a document of the project only to the own documents without a project.
    const free = (owner: string) =>
      `update documents set project_id = null, created_by = '${owner}' where id = '${ids.document}'`
    expect(await as('editor', free('editor'))).toEqual({ rows: 1 })
    expect(await as('editor', free(ALICE))).toEqual({ refused: NO_PRIVILEGE })
    expect(await as('editor', `update documents set project_id = '${ids.project}' where id = '${ids.loose}'`)).toEqual({
      rows: 0,
    })
    expect(
      await as(
        'editor',
        `insert into documents (created_by, project_id, filename) values ('${ALICE}', '${ids.project}', 'x')`,
      ),
    ).toEqual({ refused: NO_PRIVILEGE })
    await pool.query(`delete from documents where project_id is null; delete from tags where project_id is null;
      delete from jobs where project_id is null; delete from events where project_id is null`)
  })

  it('A chunk follows its document to another project, with its search row, jobs and tags (SHR-03)', async () => {
    const other = '00000000-0000-4000-8000-0000000000a1'
    await pool.query(`insert into projects (id, owner_id, name) values ('${other}', '${ALICE}', 'Other');
      update jobs set document_id = '${ids.document}'`)
    const move = (to: string) => pool.query(`update documents set project_id = '${to}' where id = '${ids.document}'`)
    const places = async () =>
      (
        await pool.query<{ project_id: string }>(`
          select project_id from chunks union select project_id from chunk_sentences union select project_id from document_search where document_id = '${ids.document}'
          union select project_id from jobs union select project_id from indexed_documents where document_id = '${ids.document}'
          union select project_id from chunk_terms
          union select t.project_id from tags t join document_tags l on l.tag_id = t.id`)
      ).rows.map(({ project_id }) => project_id)
    await move(other)
    expect(await places()).toEqual([other])
    expect(await as('owner', 'select * from chunks')).toEqual({ rows: 0 })
    await move(ids.project)
    expect(await places()).toEqual([ids.project])
    await pool.query(`delete from projects where id = '${other}'; update jobs set document_id = null`)
  })

  it('The member whose id is the owner_id of a project cannot leave and cannot lose the role of an owner', async () => {
    const needed = { refused: '23514' }
    for (const statement of ['delete from project_members', `update project_members set role = 'viewer'`])
      expect(await as('owner', `${statement} where user_id = '${ALICE}'`)).toEqual(needed)
    expect(await as('owner', `update projects set owner_id = 'editor'`)).toEqual(needed)
    expect(await as('owner', `update projects set owner_id = 'owner'`)).toEqual({ rows: 1 })
    // A member leaves, and changes no role.
    expect(await as('viewer', `delete from project_members where user_id = 'viewer'`)).toEqual({ rows: 1 })
    expect(await as('viewer', `update project_members set role = 'owner' where user_id = 'viewer'`)).toEqual({
      rows: 0,
    })
    expect(await as('owner', `update project_members set is_default = true where user_id = 'owner'`)).toEqual({
      refused: NO_PRIVILEGE,
    })
  })

  it('The setting app.project_id of a query gives no right to the documents of this project', async () => {
    const named = `select d.* from (select set_config('app.project_id', '${ids.project}', true)) _ cross join lateral (select * from documents) d`
    for (const user of [BOB, null]) expect(await as(user, named)).toEqual({ rows: 0 })
    expect(await as('viewer', named)).toEqual(await as('viewer', 'select * from documents'))
  })

  it('A document cannot be put into a project of another user', async () => {
    expect(
      await as(
        BOB,
        `insert into documents (created_by, project_id, filename) values ('${BOB}', '${ids.project}', 'b.pdf')`,
      ),
    ).toEqual({ refused: NO_PRIVILEGE })
  })
})
