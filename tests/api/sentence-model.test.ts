import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

const PAGES = [
  'Bread was cheap in all towns of the district that year. Volunteers met every week to plan the visits.',
  'The hound followed every villager who came home late. No neighbor knew its name or its age at that time.',
]
/** No word of the second page. */
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
