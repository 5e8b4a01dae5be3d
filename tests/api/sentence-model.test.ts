import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { writeSentenceModel } from '#tests/helpers/tiny-sentence-model.ts'

const PAGES = [
  'Bread was cheap in all towns of the district that year. Volunteers met every week to plan the visits.',
  'The hound followed every villager who came home late. No neighbor knew its name or its age at that time.',
]
/** A question about the second page. It shares no word with that page, so only a sentence model can find it. */
const REWORDED = 'Which dog walked behind people?'

let folder: string
let dataDir: string
let server: TestServer
let ada: Client
let project: string
let id: string

const settings = (lines: Record<string, string>) =>
  writeFile(
    join(dataDir, '.env'),
    Object.entries(lines)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
const restartWith = async (lines: Record<string, string>) => {
  await settings(lines)
  await server.restart()
}
const read = async (document: string) => (await ada.json<{ data: DocumentDetail }>(api.document(document))).data
const ask = async (question: string) =>
  (await ada.json<{ data: ChatAnswer }>(api.documentChat(id), { body: { question } })).data

async function vectorize(document: string): Promise<void> {
  const { data } = await ada.json<{ data: { id: string } }>(api.documentVectorize(document), { body: {} })
  expect((await ada.job(data.id)).status).toBe('completed')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-models-'))
  dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const words = { other: [0.1, 0, 0], dog: [0, 2, 0], hound: [0, 2, 0], people: [0, 0, 1], villager: [0, 0, 1] }
  await writeSentenceModel(join(folder, 'tiny'), words)
  await settings({ EMBEDDINGS: 'off' })
  server = await startServer({ dataDir })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Models' } })).data.id
  id = await newDocument()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function newDocument(): Promise<string> {
  const pdf = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const { id: document } = await ada.upload(project, new File([pdf], 'paper.pdf', { type: 'application/pdf' }))
  await ada.json(api.documentText(document), { method: 'PUT', body: { extracted_text: joinPages(PAGES) } })
  return document
}

describe('search without a sentence model', () => {
  it('The start reports in one line that papers are searched by words only', () => {
    const lines = server.output().split('\n')
    expect(lines.filter((line) => line.includes('searched by words only, because EMBEDDINGS is off'))).toHaveLength(1)
  })

  it('A paper can be vectorized and answers questions that use its words', async () => {
    await vectorize(id)
    expect(await read(id)).toMatchObject({ embedding_model: 'words-only', embedding_stale: false })
    const { answer, sources, words_only } = await ask('Whom did the hound follow?')
    expect(answer).toContain('The hound followed every villager who came home late.')
    expect(sources.map(({ page_number }) => page_number)).toEqual([2])
    expect(sources[0]!.similarity).toBeGreaterThan(0.5)
    expect(words_only).toBe(true)
  })

  it('A question without words of the paper finds no passage (MSG-105)', async () => {
    const { answer, sources } = await ask(REWORDED)
    expect(sources).toEqual([])
    expect(answer).toContain("I couldn't find any relevant passages")
  })

  it('The server functions for vectors report the reason', async () => {
    const body = JSON.stringify({ query: 'dog' })
    const headers = { 'content-type': 'application/json' }
    const response = await ada.fetch(functionPath('generate-query-embedding'), { method: 'POST', headers, body })
    expect(response.status).toBe(501)
    expect(await response.text()).toContain('EMBEDDINGS is off')
  })
})

describe('documents with vectors of another model', () => {
  let admin: Client
  const modelOf = async () => (await read(id)).embedding_model
  const vectors = async () => (await admin.json<{ data: SystemStatus }>(api.adminSystemStatus())).data.vectors
  const change = (isPaused: boolean) => admin.json(api.adminVectors(), { method: 'PUT', body: { is_paused: isPaused } })

  it('A model of EMBEDDING_MODEL_DIR embeds the documents again in the background', async () => {
    await restartWith({ EMBEDDING_MODEL_DIR: join(folder, 'tiny') })
    await expect.poll(modelOf, { timeout: 90_000 }).toMatch(/^local\/tiny-[\da-f]{12}$/)
    const { answer, words_only } = await ask(REWORDED)
    expect(words_only).toBe(false)
    expect(answer).toContain('The hound followed every villager who came home late.')
  })

  it('An admin pauses and continues the renewal of vectors, and until its end documents are searched by words', async () => {
    admin = await signUpAdmin(server)
    await change(true)
    await restartWith({})
    expect(await vectors()).toEqual({
      model: 'built-in/all-MiniLM-L6-v2',
      documents: 1,
      stale: 1,
      is_paused: true,
    })
    expect(await read(id)).toMatchObject({ embedding_stale: true })
    expect((await ask('Whom did the hound follow?')).words_only).toBe(true)
    await change(false)
    await expect.poll(modelOf, { timeout: 90_000 }).toBe('built-in/all-MiniLM-L6-v2')
    expect(await vectors()).toMatchObject({ stale: 0, is_paused: false })
    expect((await ask(REWORDED)).words_only).toBe(false)
  })

  it('Users without the admin right cannot pause the renewal of vectors', async () => {
    const bob = await signUp(server.url)
    const headers = { 'content-type': 'application/json' }
    const response = await bob.fetch(api.adminVectors(), { method: 'PUT', headers, body: '{"is_paused":true}' })
    expect(response.status).toBe(403)
  })
})
