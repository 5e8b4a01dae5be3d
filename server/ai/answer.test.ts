import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '#server/lib/env.ts'
import { promptOf, startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { streamAnswer, type QuestionToAnswer } from './answer.ts'
import type { AiCall } from './ai-call.ts'
import { setAiRecorder } from './record.ts'
import { timeLimits } from './time-limits.ts'

const ctx = { userId: 'u1', purpose: 'answer', documentId: 'd1' } as const
const content = 'Those who walked slept forty minutes longer each night. Age made a difference in this group of adults.'
const passage = { content, page_number: 3, page_offset: 120, similarity: 0.8, start: 120, end: 175 }
const question: QuestionToAnswer = { question: 'How much longer did walkers sleep?', passages: [passage] }

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
  Object.assign(env, { AI_BASE_URL: server.url, AI_CHAT_MODEL: 'test-chat' })
  timeLimits.backoffMs = 1
})
afterEach(() => {
  server.reset()
  Object.assign(timeLimits, limits)
  Object.assign(env, { AI_BASE_URL: undefined, AI_CHAT_MODEL: undefined })
})

/** Reads a stream to its end. Returns the pieces, and the error that ended it. */
async function read(text: AsyncIterable<string>): Promise<{ pieces: string[]; error: unknown }> {
  const pieces: string[] = []
  try {
    for await (const piece of text) pieces.push(piece)
    return { pieces, error: null }
  } catch (error) {
    return { pieces, error }
  }
}

describe('streamAnswer with a provider', () => {
  it('An answer arrives in pieces and cites its page', async () => {
    const { model, text } = streamAnswer(question, ctx)
    const { pieces, error } = await read(text)
    expect([model, error]).toEqual(['test-chat', null])
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe('Those who walked slept forty minutes longer each night [p. 3].')
    expect(calls).toMatchObject([{ purpose: 'answer', user_id: 'u1', document_id: 'd1', ok: true, estimated: false }])
  })

  it('An answer uses the passages, or the whole text if given', async () => {
    await read(streamAnswer(question, ctx).text)
    await read(streamAnswer({ ...question, fullText: '[Page 1]\nThe whole paper.' }, ctx).text)
    const [first, second] = server.requests.map(({ body }) => promptOf(body))
    expect(first).toContain(`[Page 3]\n${content}`)
    expect(first).toContain('Answer only from it.')
    expect(second).toContain('The whole paper.')
    expect(second).not.toContain(content)
  })

  it('An answer names the model that the provider chose', async () => {
    env.AI_CHAT_MODEL = undefined
    const answer = streamAnswer(question, ctx)
    await read(answer.text)
    expect(answer.model).toBe('test-chat')
  })

  it('An answer that breaks off ends with an error after its pieces, and is not retried', async () => {
    server.next('chat', { kind: 'break-off', content: 'Those who walked slept' })
    const { pieces, error } = await read(streamAnswer(question, ctx).text)
    expect(pieces.join('')).toBe('Those who walked slept')
    expect(error).toMatchObject({ code: 'outside_failed' })
    expect(server.requests).toHaveLength(1)
    expect(calls).toMatchObject([{ ok: false, error: 'outside_failed', estimated: true }])
  })

  it('An answer that stops in the middle is an error', async () => {
    timeLimits.idleMs = 150
    server.next('chat', { kind: 'hang', content: 'Those who' })
    const { pieces, error } = await read(streamAnswer(question, ctx).text)
    expect(pieces).toEqual(['Those who'])
    expect(error).toMatchObject({ code: 'outside_slow' })
  })

  it('An answer that reached its length limit is an error', async () => {
    server.next('chat', { kind: 'ok', content: 'Those', finish: 'length' })
    expect((await read(streamAnswer(question, ctx).text)).error).toMatchObject({
      message: expect.stringContaining('length limit'),
    })
  })

  it('An answer is retried before its first piece', async () => {
    server.next('chat', { kind: 'status', status: 500 }, { kind: 'break-off', content: '' })
    const { pieces, error } = await read(streamAnswer(question, ctx).text)
    expect(error).toBeNull()
    expect(pieces.join('')).toContain('forty minutes')
    expect(server.requests).toHaveLength(3)
  })

  it('An empty answer is an error', async () => {
    server.next('chat', { kind: 'ok', content: ' ' })
    expect((await read(streamAnswer(question, ctx).text)).error).toMatchObject({
      code: 'outside_failed',
      message: 'No answer was generated',
    })
  })

  it('An answer uses the passages when the whole text is too long, by our count or that of the provider', async () => {
    const fullText = `[Page 9]\n${'Many words. '.repeat(60_000)}`
    expect((await read(streamAnswer({ ...question, fullText }, ctx).text)).pieces.join('')).toContain('[p. 3]')
    expect(server.requests).toHaveLength(1)
    server.next('chat', { kind: 'too-long' })
    const answer = await read(streamAnswer({ ...question, fullText: '[Page 9]\nA short paper.' }, ctx).text)
    expect([answer.error, answer.pieces.join('')]).toEqual([null, expect.stringContaining('[p. 3]')])
    expect(server.requests).toHaveLength(3)
  })

  it('An answer from passages that are too long for the model is refused', async () => {
    const passages = [{ ...passage, content: 'Many words. '.repeat(60_000) }]
    const { error } = await read(streamAnswer({ ...question, passages }, ctx).text)
    expect(error).toMatchObject({ code: 'refused', message: expect.stringContaining('Request too large') })
    expect(server.requests).toHaveLength(0)
  })

  it('An answer from a silently truncated text is an error, and the next one uses the passages', async () => {
    const own = await startOpenAiServer({ models: [{ id: 'silent-window' }] })
    Object.assign(env, { AI_BASE_URL: own.url, AI_CHAT_MODEL: 'silent-window' })
    const fullText = `[Page 9]\n${'Many words. '.repeat(3000)}`
    own.next('chat', { kind: 'ok', tokensRead: 4096 })
    expect((await read(streamAnswer({ ...question, fullText }, ctx).text)).error).toMatchObject({
      message: expect.stringContaining('read only 4096 tokens'),
    })
    expect((await read(streamAnswer({ ...question, fullText }, ctx).text)).pieces.join('')).toContain('[p. 3]')
    await own.stop()
  })

  it('An answer ends when the reader disconnects', async () => {
    server.next('chat', { kind: 'hang', content: 'Those who walked slept forty minutes longer' })
    for await (const _piece of streamAnswer(question, ctx).text) break
    await expect.poll(() => calls).toMatchObject([{ ok: false, error: 'aborted' }])
  })

  it('An answer ends when the caller aborts it', async () => {
    const stop = new AbortController()
    server.next('chat', { kind: 'hang', content: 'Those who' })
    const reading = read(streamAnswer(question, { ...ctx, signal: stop.signal }).text)
    await expect.poll(() => server.requests.length).toBe(1)
    stop.abort()
    expect((await reading).error).toMatchObject({ name: 'AbortError' })
  })
})

describe('streamAnswer with the built-in model', () => {
  it('The built-in answer quotes the passages, sentence by sentence, and costs nothing', async () => {
    env.AI_BASE_URL = undefined
    const { model, text } = streamAnswer(question, ctx)
    const { pieces, error } = await read(text)
    expect([model, error]).toEqual(['built-in', null])
    expect(pieces.join('')).toContain('forty minutes longer each night')
    expect(pieces.join('')).toContain('[p. 3]')
    expect(calls).toMatchObject([{ model: 'built-in', cost_usd: 0, ok: true }])
  })
})
