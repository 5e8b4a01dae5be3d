import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { undocumented, WIDEST_COMMENT, wideComments } from './comment-laws.ts'
import { brokenContents, brokenNames } from './content-laws.ts'
import { sourceFiles } from './source-files.ts'

/** All source files except tests/laws, whose files contain the forbidden texts. */
const ours = sourceFiles('server', 'web', 'shared', 'tests', 'bin').filter(
  ({ path }) => !path.startsWith('tests/laws/'),
)

/** Maximum lines of a file in web/routes. A route file only loads data and composes components of the rooms. */
const ROUTE_LINES = 60

/** Maximum lines of a file in server, web, shared and bin, except tests. A longer file has more than one subject. */
const MOST_LINES = 250

/** Returns the number of packages in a package-lock.json that have a download address. */
const downloadPlaces = (lock: string) => lock.match(/"resolved"/g)?.length ?? 0

describe('content laws', () => {
  it('The content laws hold in every file', () => {
    expect(ours.length).toBeGreaterThan(20)
    expect(brokenContents(ours)).toEqual([])
  })

  it('File names are kebab-case and descriptive', () => {
    expect(brokenNames(ours.map(({ path }) => path))).toEqual([])
  })

  it(`Files of web/routes have at most ${ROUTE_LINES} lines`, () => {
    const routes = ours.filter(({ path }) => path.startsWith('web/routes/'))
    expect(
      routes.filter(({ text }) => text.trimEnd().split('\n').length > ROUTE_LINES).map(({ path }) => path),
    ).toEqual([])
  })

  it(`Files of server, web, shared and bin have at most ${MOST_LINES} lines`, () => {
    const long = ours.filter(
      ({ path, text }) =>
        !/^tests\/|\.test\.|routeTree\.gen/.test(path) && text.trimEnd().split('\n').length > MOST_LINES,
    )
    expect(long.map(({ path }) => path)).toEqual([])
  })

  it(`Lines of comments have at most ${WIDEST_COMMENT} characters`, () => {
    expect(wideComments(ours)).toEqual([])
  })

  it('Every exported function has a docstring', () => {
    const checked = ours.filter(({ path }) => !/^tests\/|^web\/routes\/|\.test\./.test(path))
    expect(undocumented(checked)).toEqual([])
  })

  it('package-lock.json contains no download address', () => {
    expect(downloadPlaces(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))).toBe(0)
    expect(downloadPlaces('{ "resolved": "https://example.org/a.tgz" }')).toBe(1)
  })
})

describe('content laws on samples', () => {
  it('The law of comments reports a wide line of a comment, and no wide line of code', () => {
    const wide = 'a '.repeat(WIDEST_COMMENT / 2)
    const text = `// ${wide}\nconst text = '${wide}'\n/**\n * ${wide}\n */\n`
    expect(wideComments([{ path: 'server/x.ts', text }])).toEqual(['server/x.ts:1: 131', 'server/x.ts:4: 131'])
  })

  it('The law of docstrings reports exported functions without one', () => {
    const text = [
      'export function plain() {}',
      'export const arrow = (n: number) => n',
      '// A comment.',
      'export async function commented() {}',
      '/** Documented. */',
      'export function first(n: number): void',
      'export function first(n: string): void',
      'export function first() {}',
      'export const MOST = 5',
      'const own = () => 5',
    ].join('\n')
    const names = ['plain', 'arrow', 'commented']
    expect(undocumented([{ path: 'server/x.ts', text }])).toEqual(names.map((name) => `server/x.ts: ${name}`))
  })

  const breaks: [file: string, code: string][] = [
    ['server/chat/service.ts', '// @ts-expect-error later'],
    ['web/ui/button.tsx', '/* eslint-disable no-console */'],
    ['shared/contract/chat.ts', 'const x = y as any'],
    ['bin/start.mjs', '// TODO: stop it'],
    ['server/chat/service.ts', 'await tx.execute(sql`select 1`)'],
    ['server/chat/service.ts', "await pool.query('select 1')"],
    ['server/chat/service.ts', 'const rows = await tx.select().from(chunks)'],
    ['web/chat/queries.ts', 'const path = `/api/documents/${id}/chat`'],
    ['web/auth/sign-in.tsx', "await fetch('/auth/v1/sign-in/email')"],
    ['web/chat/entry.tsx', 'removing.mutate(idOf(entry), {\n  onError: failed,\n})'],
    ['tests/api/chat.test.ts', "new URL('../../../shared/data/papers/', import.meta.url)"],
    ['server/feeds/parse.ts', "const worker = new Worker(new URL('./parse.worker.ts', import.meta.url))"],
    ['server/feeds/parse.ts', "import { isMainThread, Worker } from 'node:worker_threads'"],
    ['server/drive/service.ts', 'const answer = await fetch(url, { signal })'],
    ['server/drive/service.ts', "import { Agent } from 'undici'"],
    ['server/backup/service.ts', "import { S3Client } from '@aws-sdk/client-s3'"],
    ['server/chat/service.ts', 'const key = env.AI_API_KEY'],
    ['server/feeds/refresh.ts', "const wait = Number(response.headers.get('retry-after'))"],
    ['server/recommendations/compare.ts', 'abstract.split(/(?<=[.!?])\\s+/u)'],
    ['server/ai/answer.ts', "new Intl.Segmenter('en', { granularity: 'sentence' })"],
    ['server/main.ts', "setFlagsFromString('--max-semi-space-size=4')"],
    ['server/chat/service.ts', "import pg from 'pg'\nconst client = new pg.Client()"],
  ]
  it.each(breaks)('The content laws report %s with: %s', (path, text) => {
    expect(brokenContents([{ path, text }]).length).toBeGreaterThan(0)
  })

  const keeps: [file: string, code: string][] = [
    ['server/chat/queries.ts', 'await tx.execute(sql`select 1`)'],
    ['server/db/policies.ts', 'await client.query(statement)'],
    ['server/queue/queue.ts', 'await tx.insert(jobs).values(row)'],
    ['server/events/listen.ts', "import pg from 'pg'\nawait client.query('listen events')"],
    ['web/chat/queries.ts', 'const path = api.documentChat(id)'],
    ['web/chat/entry.tsx', 'removing.mutate(entry.id)\nuseMutation(change, { onError: failed })'],
    ['server/texts/texts.worker.ts', "import { parentPort, type Transferable } from 'node:worker_threads'"],
    ['server/http/error-response.ts', "headers.set('retry-after', '5')"],
    ['tests/bench/papers.ts', "new URL('../../../shared/data/papers/', import.meta.url)"],
    ['server/chat/routes.ts', "createRoute({ path: '/api/documents/{id}/chat' })"],
  ]
  it.each(keeps)('The content laws accept %s with: %s', (path, text) => {
    expect(brokenContents([{ path, text }])).toEqual([])
  })

  it('The name law reports bad file names and accepts good ones', () => {
    expect(brokenNames(['server/chat/utils.ts', 'web/chat/ChatPanel.tsx', 'server/chat/find_chunks.ts'])).toHaveLength(
      3,
    )
    expect(
      brokenNames(['server/chat/find-chunks.test.ts', 'web/routes/$projectName.chat.tsx', 'vite.config.ts']),
    ).toEqual([])
  })
})
