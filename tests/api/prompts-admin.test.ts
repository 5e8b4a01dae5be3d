import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'
import type { Prompt, PromptVersion, TrialResult } from '#shared/contract/prompts.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { promptOf, startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

const TEXT = joinPages([
  'Walking and sleep in adults\n\nWe asked two hundred adults to walk every day for a year. Those who walked slept forty minutes longer each night.',
])

let provider: OpenAiServer
let server: TestServer
let admin: Client
let user: Client
let document: DocumentDetail

beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  admin = await signUp(server.url)
  user = await signUp(server.url)
  const project = await admin.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Walking' } })
  const file = new File([onePagePdf(['Walking'])], 'walking.pdf', { type: 'application/pdf' })
  const { id } = await admin.upload(project.data.id, file)
  const saved = await admin.json<{ data: DocumentDetail }>(api.documentText(id), {
    method: 'PUT',
    body: { extracted_text: TEXT },
  })
  document = saved.data
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})
afterEach(() => provider.reset())

const WORDS = { name: 'Findings', model: 'test-chat', prompt: 'List the findings.' }
const list = async (client: Client) => (await client.json<{ data: Prompt[] }>(api.prompts())).data
const add = async (values: object = {}) =>
  (await admin.json<{ data: Prompt }>(api.prompts(), { body: { ...WORDS, ...values } })).data
const change = async (id: string, body: object) =>
  (await admin.json<{ data: Prompt }>(api.prompt(id), { method: 'PATCH', body })).data
const send = (client: Client, method: string, path: string, body?: object) =>
  client.fetch(path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  })
const readDocument = async () => (await admin.json<{ data: DocumentDetail }>(api.document(document.id))).data

describe('the prompt library', () => {
  it('The prompt library is readable for all users, and changed by admins only (API-36, ADMP-03)', async () => {
    const prompt = await add({ description: 'For a quick look' })
    expect(prompt).toMatchObject({ ...WORDS, description: 'For a quick look', default: false, version: 1 })
    expect((await list(user)).map(({ id }) => id)).toContain(prompt.id)
    for (const [method, path, body] of [
      ['POST', api.prompts(), WORDS],
      ['PATCH', api.prompt(prompt.id), { name: 'Mine' }],
      ['DELETE', api.prompt(prompt.id), undefined],
      ['POST', api.promptRestore(prompt.id), { version: 1 }],
      ['POST', api.promptsTry(), { ...WORDS, document_id: document.id }],
    ] as const)
      expect([method, path, (await send(user, method, path, body)).status]).toEqual([method, path, 403])
    expect(await change(prompt.id, { name: 'Key findings' })).toMatchObject({ name: 'Key findings', version: 2 })
    expect((await send(admin, 'DELETE', api.prompt(prompt.id))).status).toBe(204)
    expect((await send(admin, 'DELETE', api.prompt(prompt.id))).status).toBe(404)
    expect((await list(admin)).map(({ id }) => id)).not.toContain(prompt.id)
  })

  it('The prompt library refuses a prompt without name, text or model (ADMP-05)', async () => {
    for (const [field, value] of Object.entries({ name: '  ', prompt: '', model: ' ' })) {
      const refused = await send(admin, 'POST', api.prompts(), { ...WORDS, [field]: value })
      expect([field, refused.status, await refused.json()]).toMatchObject([
        field,
        422,
        { error: { fields: { [field]: expect.stringMatching(/^Please /) } } },
      ])
    }
  })

  it('The prompt library has one default at most, also when two admins set one at the same time (ADMP-07)', async () => {
    const [one, two] = [await add({ name: 'One' }), await add({ name: 'Two', default: true })]
    const marked = async () => (await list(admin)).filter((prompt) => prompt.default).map(({ name }) => name)
    expect(await marked()).toEqual(['Two'])
    await Promise.all([1, 2, 3, 4].map((n) => change((n % 2 ? one : two).id, { default: true })))
    expect(await marked()).toHaveLength(1)
    // A changed default does not create a version.
    expect((await list(admin)).find(({ id }) => id === one.id)?.version).toBe(1)
    await change(one.id, { default: true })
    expect(await marked()).toEqual(['One'])
  })

  it('The prompt library refuses to overwrite a prompt that another admin saved meanwhile', async () => {
    const prompt = await add()
    await change(prompt.id, { prompt: 'Newer words.', version: 1 })
    const late = await send(admin, 'PATCH', api.prompt(prompt.id), { prompt: 'Older words.', version: 1 })
    const { error } = (await late.json()) as { error: object }
    const current = { id: prompt.id, prompt: 'Newer words.', version: 2 }
    expect([late.status, error]).toMatchObject([
      409,
      { code: 'changed', fields: { prompt: expect.any(String) }, current },
    ])
    // Other fields, and equal values, are no conflict.
    await change(prompt.id, { description: 'For trials', prompt: 'Newer words.', version: 1 })
    expect((await list(admin)).find(({ id }) => id === prompt.id)).toMatchObject({
      description: 'For trials',
      prompt: 'Newer words.',
    })
  })
})

describe('versions of a prompt', () => {
  const versions = async (id: string) => (await admin.json<{ data: PromptVersion[] }>(api.promptVersions(id))).data

  it('Versions of a prompt are stored with their author, and can be restored', async () => {
    const { id } = await add()
    await change(id, { prompt: 'List the findings, with numbers.' })
    expect(await versions(id)).toMatchObject([
      { version: 2, prompt: 'List the findings, with numbers.', saved_by: expect.any(String) },
      { version: 1, prompt: 'List the findings.' },
    ])
    const restored = await admin.json<{ data: Prompt }>(api.promptRestore(id), { body: { version: 1 } })
    expect(restored.data).toMatchObject({ version: 3, prompt: 'List the findings.' })
    expect((await send(admin, 'POST', api.promptRestore(id), { version: 9 })).status).toBe(404)
  })

  it('Versions of a prompt stay on the analysis that used them, after a change and after the prompt is deleted', async () => {
    const prompt = await add({ name: 'Used', prompt: 'Say what was found.' })
    const { data: job } = await admin.json<{ data: Job }>(api.documentAnalyze(document.id), {
      body: { prompt_id: prompt.id },
    })
    expect(await admin.job(job.id)).toMatchObject({ status: 'completed' })
    await change(prompt.id, { name: 'Renamed', prompt: 'Something else.' })
    await send(admin, 'DELETE', api.prompt(prompt.id))
    const analyzed = await readDocument()
    expect(analyzed).toMatchObject({ analysis_prompt: 'Used', analysis_prompt_version: 1 })
    const { data: words } = await admin.json<{ data: PromptVersion }>(
      api.promptVersion(analyzed.analysis_prompt_version_id!),
    )
    expect(words).toMatchObject({ name: 'Used', prompt: 'Say what was found.', prompt_id: null })
  })
})

describe('a trial', () => {
  const attempt = (body: object) => send(admin, 'POST', api.promptsTry(), { document_id: document.id, ...body })

  it('A trial reports the result and the cost of an unsaved prompt, and leaves the document unchanged', async () => {
    const before = await readDocument()
    const answer = await attempt({ model: 'test-chat', prompt: 'Write for nurses.' })
    const { data } = (await answer.json()) as { data: TrialResult }
    expect(data).toMatchObject({ model: 'test-chat', result: { title: 'Walking and sleep in adults' } })
    expect(data.found).toBeGreaterThan(0)
    expect(data.cost_usd).toBeCloseTo((data.tokens_in + data.tokens_out) * 0.0001, 10)
    expect(promptOf(provider.requests[0]!.body)).toContain('Write for nurses.')
    const free = await attempt({ model: 'built-in', prompt: 'Write for nurses.' })
    expect(await free.json()).toMatchObject({ data: { model: 'Built-in (offline, extractive)', cost_usd: 0 } })
    expect(await readDocument()).toEqual(before)
  })

  it('A trial reports missing text, a document of another user, and a provider that fails', async () => {
    expect((await attempt({ model: 'test-chat', prompt: ' ' })).status).toBe(422)
    const project = await user.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Other' } })
    const others = await user.upload(project.data.id, new File([onePagePdf(['x'])], 'x.pdf'))
    expect((await attempt({ model: 'test-chat', prompt: 'Read.', document_id: others.id })).status).toBe(404)
    provider.next('chat', { kind: 'status', status: 401 })
    const refused = await attempt({ model: 'test-chat', prompt: 'Read.' })
    expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining('refused the key')])
  })
})

it('The audit log names who added, changed and deleted a prompt', async () => {
  const { id } = await add({ name: 'Audited' })
  await change(id, { prompt: 'Other words.' })
  await send(admin, 'DELETE', api.prompt(id))
  const { data } = await admin.json<{ data: { action: string; subject: string; actor_id: string }[] }>(
    '/api/admin/audit?kind=prompt&search=Audited',
  )
  expect(data.map(({ action }) => action)).toEqual(['prompt.deleted', 'prompt.changed', 'prompt.added'])
  expect(data.every(({ actor_id }) => actor_id === admin.userId)).toBe(true)
})
