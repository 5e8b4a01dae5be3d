import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { namedTests } from './named-tests.mjs'

const FILES = [
  'server/chat/retrieve.test.ts',
  'server/chat/retrieve.ts',
  'web/chat/turn.test.tsx',
  'bin/prepare/commit.test.mjs',
  'shared/index.ts',
  'tests/laws/chat.test.ts',
  'tests/helpers/server.ts',
  'tests/api/chat.test.ts',
  'tests/e2e/upload.test.ts',
]
let root
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lectern-names-'))
  for (const path of FILES) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
})
afterAll(() => rmSync(root, { recursive: true }))

it.each([
  [['upload'], { e2e: ['tests/e2e/upload.test.ts'] }],
  [
    ['chat'],
    {
      unit: ['server/chat/retrieve.test.ts', 'tests/laws/chat.test.ts', 'web/chat/turn.test.tsx'],
      api: ['tests/api/chat.test.ts'],
    },
  ],
  [['commit', 'e2e'], { unit: ['bin/prepare/commit.test.mjs'], e2e: ['tests/e2e/upload.test.ts'] }],
  [['server/chat/retrieve.ts'], {}],
  [['nothing'], {}],
])('namedTests finds the test files of each project for %j', (words, files) => {
  expect(namedTests(root, words)).toEqual(files)
})
