import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Evaluation } from '#shared/contract/evaluations.ts'
import { api } from '#shared/contract/paths.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer } from '#tests/helpers/server.ts'

const COMMAND = fileURLToPath(new URL('../bench/evaluate.ts', import.meta.url))
const LIMIT = 2

let provider: OpenAiServer
let dataDir: string
beforeAll(async () => {
  provider = await startOpenAiServer({ key: 'right-key' })
  dataDir = await mkdtemp(join(tmpdir(), 'lectern-evaluate-'))
})
afterAll(async () => {
  await provider.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function evaluate(key: string, ...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  // TEST_DATABASE_URL is passed because it names the database server of the test run.
  const passed = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TEST_DATA.*)$/.test(name))
  const env = { ...Object.fromEntries(passed), DATA_DIR: dataDir, KEY: key }
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, out, err }
}
const call = (key: string, embeddingModel = 'text-embedding-test') =>
  evaluate(
    key,
    '--base-url',
    provider.url,
    '--model',
    'test-chat',
    '--embedding-model',
    embeddingModel,
    '--key-env',
    'KEY',
    '--limit',
    String(LIMIT),
  )
const stored = () => readdir(join(dataDir, 'evaluations')).catch(() => [])

it('The evaluation measures the built-in models and a provider, and the Admin area lists both', async () => {
  const done = await call('right-key')
  expect(done).toMatchObject({ code: 0 })
  expect(done.err).toContain(`paper ${LIMIT} of ${LIMIT}`)
  expect(done.out).toMatch(/\| hit@3 +\| [\d.]+ +\| [\d.]+ +\|/)
  expect((await stored()).length).toBe(2)
  expect(
    JSON.stringify(done) + (await readFile(join(dataDir, 'evaluations', (await stored())[0]!), 'utf8')),
  ).not.toContain('right-key')

  await writeFile(join(dataDir, 'evaluations', 'broken.json'), '{"model": 1}')
  const server = await startServer({ dataDir })
  try {
    const admin = await signUp(server.url)
    const list = await admin.json<{ data: Evaluation[]; count: number }>(api.adminEvaluations())
    expect(list.count).toBe(2)
    const [theirs, ours] = list.data as [Evaluation, Evaluation]
    expect([theirs.model, theirs.embedding_model, theirs.provider]).toEqual([
      'test-chat',
      'text-embedding-test',
      new URL(provider.url).host,
    ])
    expect(theirs).toMatchObject({ questions: LIMIT, half: 'all', cost_usd: null })
    // The loopback model copies a sentence of the paper into each answer.
    expect(theirs.sentences_found).toBe(theirs.sentences)
    expect(theirs.sentences).toBeGreaterThan(0)
    expect(Math.min(theirs.tokens_in, theirs.tokens_out)).toBeGreaterThan(0)
    expect(ours).toMatchObject({ model: 'built-in', provider: null, questions: LIMIT, tokens_in: 0, cost_usd: 0 })
    expect((await (await signUp(server.url)).fetch(api.adminEvaluations())).status).toBe(403)
  } finally {
    await server.stop()
  }
  await rm(join(dataDir, 'evaluations', 'broken.json'))
})

it('The evaluation ends with a message and stores nothing when the provider refuses the key or too many requests', async () => {
  const before = await stored()
  const wrong = await call('wrong-key')
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toContain('its result is not stored: The AI provider refused the key (status 401)')
  expect(wrong.err).not.toContain('wrong-key')
  const headers = { 'retry-after': '0' }
  provider.next('chat', { kind: 'ok' })
  provider.next('chat', ...Array.from({ length: 3 }, () => ({ kind: 'status' as const, status: 429, headers })))
  const busy = await call('right-key')
  expect(busy.code).toBe(1)
  expect(busy.err).toContain('too many requests')
  provider.reset()
  const address = await evaluate(
    '',
    '--base-url',
    'http://127.0.0.1:9/v1',
    '--model',
    'm',
    '--embedding-model',
    'e',
    '--limit',
    String(LIMIT),
  )
  expect(address.code).toBe(1)
  expect(address.err).toContain('127.0.0.1:9 cannot be reached. Check --base-url.')
  expect(await stored()).toEqual(before)
})

it('The evaluation names a wrong option', async () => {
  expect((await evaluate('', '--half', 'third')).err).toBe('--half must be development or unseen.\n')
  expect((await evaluate('', '--model', 'm')).err).toContain('--base-url is missing.')
})
