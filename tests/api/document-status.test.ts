import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { join } from '#tests/helpers/asking.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type ScholarServer, startScholarServer } from '#tests/helpers/scholar-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let provider: OpenAiServer
let scholar: ScholarServer
let server: TestServer
let ada: Client
let project: string
beforeAll(async () => {
  provider = await startOpenAiServer()
  scholar = await startScholarServer()
  server = await startServer({
    env: { ...scholar.env, CONTACT_EMAIL: 'ops@example.org', AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' },
  })
  ada = await signUp(server.url)
  project = await newProject('Naps')
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
  await scholar?.stop()
})
afterEach(() => provider.reset())

const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const analyze = async (id: string, client = ada) =>
  (await client.json<{ data: Job }>(api.documentAnalyze(id), { body: { again: true } })).data.id

/** Adds a paper without a PDF. */
async function addPaper(title: string): Promise<string> {
  const body = { project_id: project, title, abstract: 'Naps helped older adults. We asked 212 nurses about it.' }
  return (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
}

it('A paper without a PDF that was analyzed is completed again after work that ends without a result', async () => {
  const id = await addPaper('Naps and recall')
  expect(await ada.job(await analyze(id))).toMatchObject({ status: 'completed', error: null })
  provider.always('chat', { kind: 'hang' })
  const statuses: Record<string, string> = {}
  const note = async (what: string) => (statuses[what] = (await read(id)).status)

  const cancelled = await analyze(id)
  await note('a second analysis')
  const other = await newProject('Copies')
  await ada.json(api.documentsCopy(), { body: { document_ids: [id], project_id: other } })
  const copies = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id: other }))
  statuses['a copy'] = copies.data[0]!.status
  await ada.json(api.jobCancel(cancelled), { method: 'POST' })
  await note('a cancellation')

  await analyze(id)
  await ada.json(api.document(id), { method: 'DELETE' })
  await ada.json(api.documentRestore(id), { method: 'POST', body: {} })
  await note('a restoration')

  const editor = await join(server, project, 'editor')
  await analyze(id, editor)
  await editor.json(api.account(), { method: 'DELETE', body: { password: editor.password } })
  await note('the deletion of an account')

  await ada.json(api.document(id), { method: 'PATCH', body: { doi_link: '10.5555/closed' } })
  scholar.setCopies('10.5555/closed', [])
  const { data: search } = await ada.json<{ data: Job }>(api.documentFetchFile(id), { method: 'POST' })
  expect(await ada.job(search.id)).toMatchObject({ status: 'completed', result: { attached: false } })
  await note('a search for a PDF')

  expect(statuses).toEqual({
    'a second analysis': 'processing',
    'a copy': 'completed',
    'a cancellation': 'completed',
    'a restoration': 'completed',
    'the deletion of an account': 'completed',
    'a search for a PDF': 'completed',
  })
  expect((await read(id)).status_message).toContain('No open-access PDF was found')
})
