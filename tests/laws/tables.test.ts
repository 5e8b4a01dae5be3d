import { readdirSync, readFileSync } from 'node:fs'
import { getTableName, isTable } from 'drizzle-orm'
import { generateDrizzleJson } from 'drizzle-kit/api'
import { describe, expect, it } from 'vitest'
import { EXPORTED, LEFT_OUT } from '#server/account/exported-tables.ts'
import * as schema from '#server/db/tables/index.ts'
import { sourceFiles } from './source-files.ts'
import { definedTables, foreignWrites, protectedTables } from './table-laws.ts'

const folder = new URL('../../server/db/migrations/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')
const entries = (JSON.parse(read('meta/_journal.json')) as { entries: { idx: number; tag: string }[] }).entries
const files = sourceFiles('server')
const tables = definedTables(files)

/** Tables without a row-level policy, with the reason. The database role of requests has no rights on them. */
const CLOSED: Record<string, string> = {
  user: 'written by the account library as the system',
  session: 'written by the account library as the system',
  account: 'written by the account library as the system',
  verification: 'written by the account library as the system',
  factor: 'contains secrets of second factors',
  factor_challenge: 'contains secrets of second factors',
  backup_code: 'contains secrets of second factors',
  outbox: 'contains e-mails of all users',
  rate_limit: 'counts the calls of all users',
  removed_files: 'the removal of files runs as the system',
  journal_imports: 'the import of the catalog runs as the system',
  trash_pass: 'the daily removal runs as the system',
  vector_renewal: 'the renewal of vectors runs as the system',
  duplicate_checks: 'the comparison of papers runs as the system',
  duplicate_keys: 'the comparison of papers runs as the system',
  index_pause: 'the index of passages is built as the system',
}

/** Tables whose rows are not part of the downloadable archive of an account, with the reason. */
const NOT_EXPORTED: Record<string, string> = {
  user: 'its name and e-mail address are in the profile',
  session: 'a secret of the account',
  account: 'a secret of the account',
  verification: 'a secret of the account',
  factor: 'a secret of the account',
  factor_challenge: 'a secret of the account',
  backup_code: 'a secret of the account',
  outbox: 'e-mails that are not sent yet',
  rate_limit: 'counts of calls, by hash',
  removed_files: 'files to remove, without a user',
  journal_imports: 'the catalog of the installation',
  excluded_journals: 'the catalog of the installation',
  feeds: 'the catalog; personal feeds are journals that the user added',
  feed_articles: 'content of the feeds',
  document_search: 'derived from documents',
  duplicate_checks: 'derived from documents',
  duplicate_keys: 'derived from documents',
  duplicate_pairs: 'derived from documents',
  ai_usage_daily: 'sums of ai_calls',
  ai_prices: 'set by admins for the installation',
  ai_budgets: 'set by admins for the installation',
  project_budgets: 'set by owners for a project',
  citation_styles: 'set by admins for the installation',
  prompt_library: 'set by admins for the installation',
  prompt_versions: 'set by admins for the installation',
  audit_log: 'the log of the admins, for the installation',
  trash_pass: 'the time of the daily removal',
  vector_renewal: 'set by admins for the installation',
  zotero_connections: 'a secret of the account',
  index_pause: 'set by admins for the installation',
}

/** Permitted writes to a table of another room, with the reason. */
const FOREIGN_WRITES: Record<string, string> = {
  'account writes documents': 'the deletion of an account is one transaction, and its order avoids deadlocks',
  'account writes projects': 'the deletion of an account is one transaction',
  'account writes tags': 'the deletion of an account is one transaction',
  'journals writes feeds': 'a personal feed becomes a feed of the catalog in one transaction',
  'journals writes user_rss_subscription': 'its followers follow the journal of the catalog in the same transaction',
  'members writes invitations': 'the removal of a member ends invitations to the member in one transaction',
  'trash writes documents': 'the trash restores and removes deleted rows, which documents does not see',
  'trash writes projects': 'the trash restores and removes deleted rows, which projects does not see',
}

describe('tables', () => {
  it('server/db/tables/index.ts exports every table', () => {
    const exported = Object.values(schema).flatMap((one) => (isTable(one) ? [getTableName(one)] : []))
    expect(tables.length).toBeGreaterThan(30)
    expect(exported.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  })

  it('The migrations create the tables of the code; `npm run db:generate` writes missing statements', () => {
    const last = entries.at(-1)!
    const {
      id: _id,
      prevId: _before,
      ...migrated
    } = JSON.parse(read(`meta/${String(last.idx).padStart(4, '0')}_snapshot.json`)) as Record<string, unknown>
    const { id: _new, prevId: _none, ...coded } = generateDrizzleJson(schema)
    expect(JSON.parse(JSON.stringify(coded))).toEqual(migrated)
  })

  it('Every migration is in the journal, in the order of its number', () => {
    const found = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(found.toSorted())
  })

  it('Every table has a row-level policy, or is closed to requests for a stated reason', () => {
    const withRules = protectedTables(entries.map(({ tag }) => read(`${tag}.sql`)))
    const names = tables.map(({ name }) => name)
    expect(names.filter((name) => !withRules.has(name)).toSorted()).toEqual(Object.keys(CLOSED).toSorted())
  })

  it('Every table is in the archive of an account, or left out for a stated reason', () => {
    const exported = Object.values(EXPORTED).map(({ table }): string => getTableName(table))
    const placed = [...exported, ...Object.keys(LEFT_OUT), ...Object.keys(NOT_EXPORTED)]
    expect(tables.filter(({ name }) => !placed.includes(name)).map(({ name }) => name)).toEqual([])
    const known = new Set([...tables.map(({ name }) => name), 'passwords_and_keys'])
    expect(placed.filter((name) => !known.has(name))).toEqual([])
    expect(Object.keys(NOT_EXPORTED).filter((name) => exported.includes(name) || name in LEFT_OUT)).toEqual([])
  })

  it('A backup contains every table, because it reads their list from the database', () => {
    const queries = files.find(({ path }) => path === 'server/backup/queries.ts')
    const list = queries!.text.slice(
      queries!.text.indexOf('function listTables'),
      queries!.text.indexOf('touchSnapshot'),
    )
    expect(list).toContain("c.relnamespace = 'public'::regnamespace and c.relkind = 'r'")
    expect(list).not.toMatch(/relname (?:<>|not in|!=)/)
  })

  it('A room writes its own tables only', () => {
    expect(foreignWrites(files, tables)).toEqual(Object.keys(FOREIGN_WRITES).toSorted())
  })
})

describe('table laws on samples', () => {
  it('A table without a policy is not protected', () => {
    const enable = 'ALTER TABLE notes ENABLE ROW LEVEL SECURITY;'
    const create = 'CREATE POLICY own_rows ON "notes" TO lectern_app USING (true);'
    expect([...protectedTables([enable])]).toEqual([])
    expect([...protectedTables([create])]).toEqual([])
    expect([...protectedTables([enable + create])]).toEqual(['notes'])
    expect([...protectedTables([enable + create, 'DROP POLICY own_rows ON notes;'])]).toEqual([])
  })

  it('A policy in a loop protects each table of the loop', () => {
    const loop = `FOREACH one IN ARRAY ARRAY['notes', 'ideas'] LOOP
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
      EXECUTE format('CREATE POLICY own_rows ON %I USING (true)', one);
    END LOOP;`
    expect([...protectedTables([loop])]).toEqual(['notes', 'ideas'])
  })

  it.each([
    ["import { documents } from '#server/db/tables/documents.ts'\nawait tx.update(documents).set({})"],
    ["import { documents } from '#server/db/tables/documents.ts'\nreturn tx\n    .delete(documents)\n    .where(x)"],
    ['await tx.execute(sql`insert into ${documents} (id) values (1)`)'],
    ['await tx.execute(sql`\n  delete from documents where id = 1`)'],
  ])('A write to a table of another room is reported: %j', (text) => {
    expect(foreignWrites([{ path: 'server/chat/queries.ts', text }], tables)).toEqual(['chat writes documents'])
    expect(foreignWrites([{ path: 'server/documents/queries.ts', text }], tables)).toEqual([])
  })
})
