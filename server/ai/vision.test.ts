import { afterEach, beforeEach, expect, it } from 'vitest'
import { env } from '#server/lib/env.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { hasVision } from './provider.ts'
import { setAiRecorder } from './record.ts'
import { readPageImage } from './vision.ts'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const ctx = { userId: 'u1', purpose: 'ocr' } as const
let server: OpenAiServer
beforeEach(async () => {
  server = await startOpenAiServer()
  Object.assign(env, { AI_BASE_URL: server.url, AI_VISION_MODEL: 'test-vision' })
})
afterEach(async () => {
  Object.assign(env, { AI_BASE_URL: undefined, AI_VISION_MODEL: undefined })
  setAiRecorder(async () => {})
  await server.stop()
})

it('readPageImage sends the page as an image and returns its text, without a fence', async () => {
  server.next('chat', { kind: 'ok', content: '```text\nA heading\nThe first line.\n```' })
  expect(await readPageImage(png, ctx)).toBe('A heading\nThe first line.')
  const { body } = server.requests[0]!
  const user = body.messages!.at(-1)!
  expect(body.model).toBe('test-vision')
  expect(user.content).toContainEqual({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` },
  })
})

it('readPageImage returns an empty text for a page without words', async () => {
  server.next('chat', { kind: 'ok', content: '' })
  expect(await readPageImage(png, ctx)).toBe('')
})

it('readPageImage needs a vision model, and returns the text also when recording fails (EXTR-05)', async () => {
  setAiRecorder(() => Promise.reject(new Error('the database is away')))
  server.next('chat', { kind: 'ok', content: 'Words' })
  expect(await readPageImage(png, ctx)).toBe('Words')
  env.AI_VISION_MODEL = undefined
  expect(hasVision()).toBe(false)
  await expect(readPageImage(png, ctx)).rejects.toMatchObject({ code: 'not_configured' })
})
