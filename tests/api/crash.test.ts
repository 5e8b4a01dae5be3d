import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { readFile } from 'node:fs/promises'

/**
 * This file kills the server while a model reads a paper. After the restart the analysis must complete, and no data may be
 * lost.
 */

let provider: OpenAiServer
let server: TestServer
let ada: Client
beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  ada = await signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

it('An analysis that a kill -9 interrupts starts again and completes', async () => {
  const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Crash' } })).data.id
  const { id } = await ada.upload(project, new File([bytes], 'paper.pdf', { type: 'application/pdf' }))
  const extracted = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
  await ada.job(extracted.data.id)

  provider.next('chat', { kind: 'hang' })
  const { data: job } = await ada.json<{ data: Job }>(api.documentAnalyze(id), { body: {} })
  await expect
    .poll(() => provider.requests.filter((request) => request.path.endsWith('/chat/completions')).length, {
      timeout: 60_000,
    })
    .toBe(1)
  expect((await read(id)).status).toBe('processing')

  await server.kill('SIGKILL')
  await server.restart()
  const ended = await ada.job(job.id)
  expect([ended.status, ended.error]).toEqual(['completed', null])
  const document = await read(id)
  expect(document).toMatchObject({ status: 'completed', analysis_model: 'test-chat' })
  expect(document.extracted_text).toContain('[Page 1]')
})
