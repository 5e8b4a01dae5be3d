import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chooseSteps, namedTests } from './named-tests.mjs'

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

const STEPS = [
  { name: 'lint', check: [] },
  { name: 'unit', project: 'unit' },
  { name: 'api', project: 'api' },
  { name: 'embedded', project: 'api' },
]

it.each([
  [['chat'], ['unit', 'api']],
  [['api', 'chat'], ['api']],
  [
    ['lint', 'api', 'chat'],
    ['lint', 'api'],
  ],
  [
    ['lint', 'chat'],
    ['lint', 'unit', 'api'],
  ],
])('chooseSteps runs only the named test files of the named steps for %j', (words, names) => {
  const chosen = chooseSteps(root, STEPS, words)
  expect(chosen.map(({ name }) => name)).toEqual(names)
  expect(chosen.find(({ name }) => name === 'api').files()).toEqual(['tests/api/chat.test.ts'])
})

it('chooseSteps runs the named test files on the embedded database', () => {
  const [step, ...others] = chooseSteps(root, STEPS, ['embedded', 'chat'])
  expect([step.name, step.files(), others]).toEqual(['embedded', ['tests/api/chat.test.ts'], []])
})

it('chooseSteps refuses a step without a test file of this name', () => {
  expect(() => chooseSteps(root, STEPS, ['embedded', 'upload'])).toThrow('The step embedded has no test file')
  expect(() => chooseSteps(root, STEPS, ['api', 'nothing'])).toThrow('No step and no path of a test file')
})
