import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { env } from '#server/lib/env.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { contextWindow, estimateTokens, fitsContext } from './context-window.ts'
import { chooseModel, defaultModelNow, listModels, listModelsWithState } from './models.ts'
import { timeLimits } from './time-limits.ts'

let server: OpenAiServer
const limits = { ...timeLimits }
beforeEach(async () => {
  server = await startOpenAiServer({
    key: 'sk-models',
    models: [{ id: 'text-embedding-test' }, { id: 'whisper-1' }, { id: 'small', max_model_len: 4096 }, { id: 'large' }],
  })
  Object.assign(env, { AI_BASE_URL: server.url, AI_API_KEY: 'sk-models' })
})
afterEach(async () => {
  Object.assign(env, { AI_BASE_URL: undefined, AI_API_KEY: undefined, AI_CHAT_MODEL: undefined })
  Object.assign(timeLimits, limits)
  await server.stop()
})

describe('listModels', () => {
  it('listModels returns the built-in model and the chat models of the provider, cached for a minute', async () => {
    expect(await listModels()).toEqual([
      { ...BUILT_IN_MODEL },
      { id: 'small', name: 'small' },
      { id: 'large', name: 'large' },
    ])
    await listModels()
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]!.headers.authorization).toBe('Bearer sk-models')
  })

  it('listModels returns only the built-in model without a provider', async () => {
    env.AI_BASE_URL = undefined
    expect(await listModelsWithState()).toEqual({ models: [{ ...BUILT_IN_MODEL }], error: null })
  })

  it.each([
    ['refuses the key', { kind: 'status', status: 401 }, 'refused the key'],
    ['is broken', { kind: 'status', status: 500 }, 'non-2xx status code (500)'],
    ['sends a web page', { kind: 'garbage' }, 'web page'],
    ['hangs', { kind: 'hang' }, 'too long'],
  ] as const)('listModels returns the built-in model and an error when the provider %s', async (_how, mode, words) => {
    timeLimits.listModelsMs = 200
    server.next('models', mode)
    expect(await listModelsWithState()).toEqual({
      models: [{ ...BUILT_IN_MODEL }],
      error: expect.stringContaining(words),
    })
  })
})

describe('chooseModel', () => {
  it('chooseModel returns the named model, else AI_CHAT_MODEL, else the first chat model', async () => {
    expect(defaultModelNow()).toBe('AI provider')
    expect(await chooseModel()).toBe('small')
    expect(defaultModelNow()).toBe('small')
    expect(await chooseModel('large')).toBe('large')
    expect(await chooseModel('default')).toBe('small')
    env.AI_CHAT_MODEL = 'large'
    expect(await chooseModel(null)).toBe('large')
    expect(await chooseModel('built-in')).toBe('built-in')
  })

  it('chooseModel returns the built-in model without a provider', async () => {
    env.AI_BASE_URL = undefined
    expect([await chooseModel(''), defaultModelNow()]).toEqual(['built-in', 'built-in'])
    await expect(chooseModel('gpt-4o')).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('gpt-4o'),
    })
  })
})

describe('fitsContext', () => {
  it('fitsContext uses the window that the provider states', async () => {
    await listModels()
    expect(contextWindow('small')).toBe(4096)
    expect(fitsContext('a'.repeat(3072 * 3.5), 'small')).toBe(true)
    expect(fitsContext('a'.repeat(3072 * 3.5 + 1), 'small')).toBe(false)
    expect(fitsContext('a'.repeat(20_000), null), 'the default model is the small one').toBe(false)
  })
  it.each([
    ['gpt-4o-mini', 128_000],
    ['openai/gpt-4.1', 1_047_576],
    ['gpt-4', 8192],
    ['llama3.2:3b', 131_072],
    ['llama3:8b', 8192],
    ['unheard-of', 128_000],
  ])('contextWindow of %s is %i tokens', (model, tokens) => expect(contextWindow(model)).toBe(tokens))
  it('fitsContext accepts any text for the built-in model', () =>
    expect(fitsContext('a'.repeat(10_000_000), 'built-in')).toBe(true))
  it('estimateTokens counts a CJK character as a token', () => expect(estimateTokens('睡眠abc')).toBe(3))
})
