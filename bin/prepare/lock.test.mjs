import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The path of a temporary repository that contains the scripts under test. */
let root
let withLock
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lectern-lock-'))
  cpSync(import.meta.dirname, join(root, 'bin', 'prepare'), { recursive: true })
  mkdirSync(join(root, '.cache'))
  ;({ withLock } = await import(pathToFileURL(join(root, 'bin', 'prepare', 'lock.mjs')).href))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const BEFORE_START_SECONDS = Date.now() / 1000 - uptime() - 60

it.each([
  ['an empty lock, as a full disk leaves it', '', Date.now() / 1000 - 60],
  [
    'a lock from before the start of the machine, whose process id another process has',
    process.ppid,
    BEFORE_START_SECONDS,
  ],
])('withLock ignores %s', async (_what, owner, seconds) => {
  const lock = join(root, '.cache', 'build-app.lock')
  writeFileSync(lock, String(owner))
  utimesSync(lock, seconds, seconds)
  let runs = 0
  await withLock('build-app', async () => void (runs += 1))
  expect(runs).toBe(1)
  expect(existsSync(lock)).toBe(false)
})

it('withLock waits while the lock of a running process exists', async () => {
  const lock = join(root, '.cache', 'build-web.lock')
  writeFileSync(lock, String(process.ppid))
  let runs = 0
  const waiting = withLock('build-web', async () => void (runs += 1))
  expect(runs).toBe(0)
  rmSync(lock)
  await waiting
  expect(runs).toBe(1)
})
