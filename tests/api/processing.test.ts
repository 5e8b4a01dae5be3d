import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'

let server: TestServer
let ada: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
})
afterAll(() => server.stop())

const fixture = async (name: string) => {
  const bytes = new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url)))
  return new File([bytes], name, { type: 'application/pdf' })
}
const projectWith = async (name: string, process_automatically: boolean) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name, process_automatically } })).data.id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const jobsOf = async (id: string) =>
  (await ada.json<{ data: { kind: string }[] }>(api.jobs({ document_id: id }))).data.map((job) => job.kind).toSorted()

it('A project with the switch on extracts, analyzes and vectorizes a new document automatically (PROJ-26, EXTR-10)', async () => {
  const project = await projectWith('By itself', true)
  const { id } = await ada.upload(project, await fixture('paper.pdf'))
  await expect.poll(async () => (await read(id)).vectorized_at, { timeout: 60_000, interval: 200 }).not.toBeNull()
  expect(await read(id)).toMatchObject({ status: 'completed', evidence_level: 'Level 2: Randomised controlled trial' })
  expect(await jobsOf(id)).toEqual(['analyze', 'extract', 'vectorize'])
})

it('A step that fails stops the processing, and the document shows the reason', async () => {
  const project = await projectWith('By itself, a locked file', true)
  const { id } = await ada.upload(project, await fixture('paper-password.pdf'))
  await expect.poll(async () => (await read(id)).status, { timeout: 60_000, interval: 200 }).toBe('error')
  expect(await read(id)).toMatchObject({ status_message: 'This PDF is protected by a password.' })
  expect(await jobsOf(id)).toEqual(['extract'])
})

it('An upload can choose processing against the switch of its project', async () => {
  const [on, off] = [await projectWith('On', true), await projectWith('Off', false)]
  const still = await ada.upload(on, await fixture('paper.pdf'), { process_automatically: 'false' })
  const processed = await ada.upload(off, await fixture('paper.pdf'), { process_automatically: 'true' })
  expect(await jobsOf(processed.id)).toContain('extract')
  expect(await jobsOf(still.id)).toEqual([])
  expect(await read(still.id)).toMatchObject({ status: 'pending' })
})

it('A project with the switch off, and a job that a user started, start nothing automatically (PROJ-26, EXTR-10)', async () => {
  const project = await projectWith('By hand', false)
  const { id } = await ada.upload(project, await fixture('paper.pdf'))
  expect(await read(id)).toMatchObject({ status: 'pending', extracted_text: null })
  const { data } = await ada.json<{ data: { id: string } }>(api.documentExtract(id), { body: { method: 'text' } })
  await ada.job(data.id)
  // A later extraction in a project with the switch on has started its next step: this one would have started it before.
  const marker = await ada.upload(await projectWith('Marker', true), await fixture('paper.pdf'))
  await expect.poll(() => jobsOf(marker.id), { timeout: 60_000 }).toContain('analyze')
  expect(await jobsOf(id)).toEqual(['extract'])
})
