import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The checkout. The tests run `npm run new:room` in a copy of it, which uses the node_modules of the checkout. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const LEFT_OUT = new Set(['node_modules', 'dist', 'data', '.git', 'screenshots'])
/** Time limit of a test in ms. A test takes minutes on a busy machine. */
const LIMIT_MS = 10 * 60_000

let copy: string
/**
 * Runs a Node program in the temporary copy of the checkout. Resolves with its standard output and standard error, even if the
 * program fails.
 */
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(copy, program), ...args], { cwd: copy }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'lectern-new-room-'))
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !LEFT_OUT.has(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('npm run new:room', () => {
  it('A new room passes the laws', { timeout: LIMIT_MS }, async () => {
    expect(await run('bin/new-room.mjs', 'trial-rooms', '--no-build')).toContain('Created the room trial-rooms')
    const laws = ['access', 'contents', 'english', 'imports', 'tables'].map((name) => `tests/laws/${name}.test.ts`)
    expect(await run('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...laws)).toMatch(
      /Test Files.+5 passed/,
    )
    const errors = (await run('node_modules/typescript/bin/tsc', '-p', '.', '--incremental', 'false')).match(
      /^.*error TS.*$/gm,
    )
    // web/routeTree.gen.ts has no route of the room, because the web app is not built.
    expect((errors ?? []).filter((error) => !error.startsWith('web/routes/trial-rooms.tsx('))).toEqual([])
    expect(readFileSync(join(copy, 'docs/access.md'), 'utf8')).toContain('`/api/trial-rooms/:id`')
    expect(await run('bin/new-room.mjs', 'trial-rooms', '--no-build')).toContain('exists already')
  })

  it('A new room passes the tests of all routes and tables', { timeout: LIMIT_MS }, async () => {
    const files = ['access', 'row-level-security', 'trial-rooms'].map((name) => `tests/api/${name}.test.ts`)
    expect(await run('node_modules/vitest/vitest.mjs', 'run', '--project', 'api', ...files)).toMatch(
      /Test Files.+3 passed/,
    )
  })
})
