import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '#server/lib/env.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { embeddingModel, embedTexts, inBatches } from './embed.ts'
import type { AiCall } from './ai-call.ts'
import { setAiRecorder } from './record.ts'
import { timeLimits } from './time-limits.ts'

const ctx = { userId: 'u1', purpose: 'embedding', documentId: 'd1' } as const
let server: OpenAiServer
let calls: AiCall[]
const limits = { ...timeLimits }

beforeAll(async () => {
  server = await startOpenAiServer()
  setAiRecorder(async (call) => void calls.push(call))
})
afterAll(() => server.stop())
beforeEach(() => {
  calls = []
  Object.assign(env, { AI_BASE_URL: server.url, AI_EMBEDDING_MODEL: 'text-embedding-test' })
  timeLimits.backoffMs = 1
})
afterEach(() => {
  server.reset()
  Object.assign(timeLimits, limits)
  Object.assign(env, { AI_BASE_URL: undefined, AI_EMBEDDING_MODEL: undefined })
})

const product = (one: Float32Array, other: Float32Array) => one.reduce((sum, value, at) => sum + value * other[at]!, 0)

describe('embedTexts with a provider', () => {
  it('embedTexts returns one vector of length 1 per text, in order', async () => {
    const texts = Array.from({ length: 200 }, (_none, at) => `text number ${at}`)
    const { model, dimension, vectors } = await embedTexts([...texts, 'text number 7'], ctx)
    expect([model, dimension, vectors.length]).toEqual(['text-embedding-test', 64, 201])
    for (const vector of vectors) expect(product(vector, vector)).toBeCloseTo(1, 5)
    expect(product(vectors[200]!, vectors[7]!)).toBeCloseTo(1, 5)
    expect(product(vectors[200]!, vectors[8]!)).toBeLessThan(0.99)
    expect(server.requests.map(({ body }) => body.input?.length)).toEqual([96, 96, 9])
    expect(calls).toHaveLength(3)
    expect(calls[2]).toMatchObject({
      model: 'text-embedding-test',
      tokens_in: 27,
      tokens_out: 0,
      estimated: false,
      purpose: 'embedding',
    })
  })

  it('embedTexts retries only the batch that failed', async () => {
    server.next('embeddings', { kind: 'ok' }, { kind: 'status', status: 500 })
    await embedTexts(
      Array.from({ length: 100 }, () => 'words'),
      ctx,
    )
    expect(server.requests.map(({ body }) => body.input?.length)).toEqual([96, 4, 4])
    expect(calls.map(({ ok }) => ok)).toEqual([true, false, true])
  })

  it.each([
    ['refuses the key', { kind: 'status', status: 401 }, 'outside_failed'],
    ['asks to wait for long', { kind: 'status', status: 429, headers: { 'retry-after': '120' } }, 'too_many'],
    ['sends no JSON', { kind: 'garbage' }, 'outside_failed'],
    ['hangs', { kind: 'hang' }, 'outside_slow'],
  ] as const)('embedTexts reports that the provider %s', async (_how, mode, code) => {
    timeLimits.firstByteMs = 150
    server.next('embeddings', mode)
    await expect(embedTexts(['words'], ctx)).rejects.toMatchObject({ code })
    expect(calls).toMatchObject([{ ok: false, error: code }])
  })

  it('embedTexts reports that the model does not exist', async () => {
    env.AI_EMBEDDING_MODEL = 'none'
    await expect(embedTexts(['words'], ctx)).rejects.toMatchObject({
      message: 'The AI provider has no model "none". Choose another one.',
    })
  })
})

describe('inBatches', () => {
  it('inBatches limits a batch to 96 texts and 200,000 characters', () => {
    expect(inBatches(Array.from({ length: 97 }, () => 'a')).map((batch) => batch.length)).toEqual([96, 1])
    expect(
      inBatches(['a'.repeat(150_000), 'b'.repeat(60_000), 'c', 'd'.repeat(300_000), 'e']).map((batch) => batch.length),
    ).toEqual([1, 2, 1, 1])
    expect(inBatches([])).toEqual([])
  })
})

it('embedTexts uses the built-in model unless an embedding model is set, even with a provider', async () => {
  env.AI_EMBEDDING_MODEL = undefined
  const { model, dimension, vectors } = await embedTexts(
    ['Walking helps people sleep.', 'Walks improve sleep.', 'The stock market fell.'],
    ctx,
  )
  expect(model).toBe(embeddingModel().model)
  expect(model).toMatch(/^built-in\//)
  expect(vectors.map((vector) => vector.length)).toEqual([dimension, dimension, dimension])
  expect(product(vectors[0]!, vectors[1]!)).toBeGreaterThan(product(vectors[0]!, vectors[2]!))
  expect(server.requests).toHaveLength(0)
  expect(calls).toMatchObject([{ model, cost_usd: 0, ok: true }])
})
