import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { commitOf, noteCommit } from './commit.mjs'

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-commit-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const git = (...args) =>
  spawnSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    encoding: 'utf8',
  })

describe('the commit of a build', () => {
  it('commitOf returns null in an archive, also inside the checkout of another project', () => {
    expect(commitOf(folder, {})).toBeNull()
    if (git('init', '-q').status !== 0) return
    const archive = join(folder, 'archive')
    mkdirSync(archive)
    expect(commitOf(archive, {})).toBeNull()
  })

  it.skipIf(spawnSync('git', ['--version']).status !== 0)(
    'commitOf returns the commit that is checked out, also in a checkout of another user',
    () => {
      git('init', '-q')
      expect(commitOf(folder, {})).toBeNull()
      git('commit', '-q', '--allow-empty', '-m', 'Begin')
      expect(commitOf(folder, {})).toBe(git('rev-parse', 'HEAD').stdout.trim())
      expect(commitOf(folder, {})).toMatch(/^[0-9a-f]{40,64}$/)
      vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
      expect(git('rev-parse', 'HEAD').stderr).toContain('dubious ownership')
      expect(commitOf(folder, {})).toMatch(/^[0-9a-f]{40,64}$/)
    },
  )

  it('commitOf returns BUILD_COMMIT if it is set', () => {
    expect(commitOf(folder, { BUILD_COMMIT: ' abc123\n' })).toBe('abc123')
  })

  it('noteCommit writes the commit, also when only the commit has changed', () => {
    const read = () => readFileSync(join(folder, '.commit'), 'utf8')
    noteCommit(folder, 'abc123')
    expect(read()).toBe('abc123')
    noteCommit(folder, null)
    expect(read()).toBe('')
  })
})
