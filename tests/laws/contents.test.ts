import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokenContents, brokenNames } from './content-laws.ts'
import { sourceFiles } from './source-files.ts'

/** The laws' own files speak of what they forbid. */
const ours = sourceFiles('server', 'web', 'shared', 'tests', 'bin').filter(
  ({ path }) => !path.startsWith('tests/laws/'),
)

/** The longest a file of web/routes may be: it loads and composes, and the rest lives in the rooms. */
const ROUTE_LINES = 60

/** Entries of a lock file that name where a package was downloaded from. */
const downloadPlaces = (lock: string) => lock.match(/"resolved"/g)?.length ?? 0

describe('the laws of contents', () => {
  it('hold in every file', () => {
    expect(ours.length).toBeGreaterThan(20)
    expect(brokenContents(ours)).toEqual([])
  })

  it('names are kebab-case and say what is inside', () => {
    expect(brokenNames(ours.map(({ path }) => path))).toEqual([])
  })

  it(`files of web/routes have at most ${ROUTE_LINES} lines`, () => {
    const routes = ours.filter(({ path }) => path.startsWith('web/routes/'))
    expect(
      routes.filter(({ text }) => text.trimEnd().split('\n').length > ROUTE_LINES).map(({ path }) => path),
    ).toEqual([])
  })

  it('package-lock.json names no place to download from', () => {
    expect(downloadPlaces(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))).toBe(0)
    expect(downloadPlaces('{ "resolved": "https://example.org/a.tgz" }')).toBe(1)
  })
})

describe('the laws are noticed when broken', () => {
  const breaks: [file: string, code: string][] = [
    ['server/chat/service.ts', '// @ts-expect-error later'],
    ['web/ui/button.tsx', '/* eslint-disable no-console */'],
    ['shared/chat.ts', 'const x = y as any'],
    ['bin/start.mjs', '// TODO: stop it'],
    ['server/chat/service.ts', 'await tx.execute(sql`select 1`)'],
    ['server/chat/service.ts', "await pool.query('select 1')"],
    ['server/chat/service.ts', 'const rows = await tx.select().from(chunks)'],
    ['web/chat/queries.ts', 'const path = `/api/documents/${id}/chat`'],
    ['web/auth/sign-in.tsx', "await fetch('/auth/v1/sign-in/email')"],
    ['web/chat/entry.tsx', 'removing.mutate(idOf(entry), {\n  onError: failed,\n})'],
    ['tests/api/chat.test.ts', "new URL('../../../shared/data/papers/', import.meta.url)"],
    ['server/chat/service.ts', "import pg from 'pg'\nconst client = new pg.Client()"],
  ]
  it.each(breaks)('%s: %s', (path, text) => {
    expect(brokenContents([{ path, text }]).length).toBeGreaterThan(0)
  })

  const keeps: [file: string, code: string][] = [
    ['server/chat/queries.ts', 'await tx.execute(sql`select 1`)'],
    ['server/db/policies.ts', 'await client.query(statement)'],
    ['server/lib/jobs.ts', 'await tx.insert(jobs).values(row)'],
    ['server/lib/events/listen.ts', "import pg from 'pg'\nawait client.query('listen events')"],
    ['web/chat/queries.ts', 'const path = api.documentChat(id)'],
    ['web/chat/entry.tsx', 'removing.mutate(entry.id)\nuseMutation(change, { onError: failed })'],
    ['tests/bench/papers.ts', "new URL('../../../shared/data/papers/', import.meta.url)"],
    ['server/chat/routes.ts', "createRoute({ path: '/api/documents/{id}/chat' })"],
  ]
  it.each(keeps)('and are not seen broken where they hold: %s: %s', (path, text) => {
    expect(brokenContents([{ path, text }])).toEqual([])
  })

  it('names', () => {
    expect(brokenNames(['server/chat/utils.ts', 'web/chat/ChatPanel.tsx', 'server/chat/find_chunks.ts'])).toHaveLength(
      3,
    )
    expect(
      brokenNames(['server/chat/find-chunks.test.ts', 'web/routes/$projectName.chat.tsx', 'vite.config.ts']),
    ).toEqual([])
  })
})
