import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startFailure } from './packages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = (name, script) => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

it('A Node that lacks a library of the system is reported with the package to install', () => {
  const complaint = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file'
  expect(startFailure(program('node', `echo '${complaint}' >&2; exit 127`))).toBe(
    `The Node of the packages does not start: ${complaint}. Install the package libatomic1 (Debian, Ubuntu) or libatomic (Fedora), and try again.`,
  )
})

it('startFailure returns null for a Node that starts and for one that does not exist', () => {
  expect([startFailure(process.execPath), startFailure(join(folder, 'missing'))]).toEqual([null, null])
})
