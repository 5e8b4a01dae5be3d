import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { JournalImport } from '#shared/contract/journal-import.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import type { Journal } from '#shared/contract/journals.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { type Endpoint, type Mode, type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { type SourceServer, startSourceServer } from '#tests/helpers/source-server.ts'

const TEXT = joinPages([
  'Walking and sleep in adults. We asked two hundred adults to walk every day for a year.',
  'The effect was smaller in people over seventy.',
])

let provider: OpenAiServer
let openAlex: SourceServer
let server: TestServer
let client: Client
let id: string

beforeAll(async () => {
  provider = await startOpenAiServer()
  openAlex = await startSourceServer()
  server = await startServer({
    env: {
      AI_BASE_URL: provider.url,
      AI_CHAT_MODEL: 'test-chat',
      AI_EMBEDDING_MODEL: 'text-embedding-test',
      OPENALEX_URL: openAlex.url,
      OPENALEX_API_KEY: 'wrong-key',
    },
  })
  client = await signUp(server.url)
  const { data: project } = await client.json<{ data: Project }>(api.projects(), { body: { name: 'Sleep' } })
  const pdf = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
  ;({ id } = await client.upload(project.id, new File([pdf], 'paper.pdf', { type: 'application/pdf' })))
  await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: TEXT } })
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
  await openAlex?.stop()
})
afterEach(() => provider.reset())

const start = async (path: string) => (await client.json<{ data: Job }>(path, { body: {} })).data
const run = async (path: string) => client.job((await start(path)).id)
const requestsTo = (endpoint: Endpoint) =>
  provider.requests.filter(({ path }) => path.endsWith(endpoint === 'chat' ? 'completions' : endpoint))

const PERMANENT: [string, Mode, string][] = [
  [
    'refuses the key',
    { kind: 'status', status: 401 },
    'The AI provider refused the key (status 401). Check AI_API_KEY.',
  ],
  ['answers with a web page', { kind: 'garbage' }, 'web page. Check AI_BASE_URL'],
  ['is not at this address', { kind: 'status', status: 404 }, 'Check AI_BASE_URL'],
  ['redirects to another host', { kind: 'redirect', to: 'http://127.0.0.1:1/v1/chat/completions' }, 'redirects to'],
  ['answers broken JSON', { kind: 'broken-json' }, 'The AI provider gave an answer that does not follow the protocol.'],
  [
    'answers JSON without a stream',
    { kind: 'broken-json', whole: true },
    'The AI provider gave an answer that does not follow the protocol.',
  ],
  [
    'has used up its quota',
    { kind: 'status', status: 429, code: 'insufficient_quota' },
    'The AI provider answered with a non-2xx status code (429): its quota is used up.',
  ],
]

describe('a job with a permanent failure', () => {
  it.each(PERMANENT)('An analysis is not repeated when the provider %s', async (_what, mode, words) => {
    provider.always('chat', mode)
    const job = await run(api.documentAnalyze(id))
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining(words) })
    expect(requestsTo('chat')).toHaveLength(1)
    const { data } = await client.json<{ data: DocumentDetail }>(api.document(id))
    expect(data).toMatchObject({ status: 'error', status_message: expect.stringContaining(words) })
  })

  it('An analysis is not repeated when the answer is cut at its length limit', async () => {
    provider.always('chat', { kind: 'ok', content: '{"title": "cut', finish: 'length' })
    expect(await run(api.documentAnalyze(id))).toMatchObject({ status: 'failed' })
    expect(requestsTo('chat')).toHaveLength(1)
  })

  it.each<[string, Mode]>([
    ['refuses the key', { kind: 'status', status: 401 }],
    ['gives no vector', { kind: 'empty' }],
  ])('A vectorize job is not repeated when the provider %s', async (_what, mode) => {
    provider.always('embeddings', mode)
    expect(await run(api.documentVectorize(id))).toMatchObject({ status: 'failed' })
    expect(requestsTo('embeddings')).toHaveLength(1)
  })

  it('The journal update is not repeated when OpenAlex refuses the key', async () => {
    openAlex.fail(403)
    const started = await client.json<{ data: JournalImport }>(api.adminUpdateJournals(), {
      body: { action: 'update' },
    })
    const last = async () => (await client.json<{ data: JournalImport[] }>(api.adminUpdateJournals())).data[0]
    await expect.poll(last, { timeout: 90_000 }).toMatchObject({
      id: started.data.id,
      status: 'error',
      message: 'OpenAlex refuses this installation’s key.',
    })
    expect(openAlex.seen).toHaveLength(1)
  })
})

it('A job with a temporary failure is repeated', async () => {
  provider.always('chat', { kind: 'status', status: 500 })
  const { id: jobId } = await start(api.documentAnalyze(id))
  const job = async () => (await client.json<{ data: Job }>(api.job(jobId))).data
  await expect
    .poll(job, { timeout: 90_000 })
    .toMatchObject({ status: 'queued', progress_text: expect.stringContaining('Trying again in 5 seconds.') })
  provider.reset()
  expect(await client.job(jobId)).toMatchObject({ status: 'completed' })
})

it('The error of a broken stream is a sentence without a system error code', async () => {
  provider.always('chat', { kind: 'break-off', content: '' })
  const response = await client.fetch(functionPath('analyze-pdf'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: TEXT, system_prompt: 'Summarise.', model: 'test-chat' }),
  })
  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({ error: 'The AI provider broke off its answer. Please try again later.' })
})

it('A chat answer keeps the status 429 and the Retry-After of the provider', async () => {
  expect(await run(api.documentVectorize(id))).toMatchObject({ status: 'completed' })
  const ask = (accept: string) =>
    client.fetch(api.documentChat(id), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ question: 'How long did they walk?' }),
    })
  provider.always('chat', { kind: 'status', status: 429, headers: { 'retry-after': '300' } })
  const whole = await ask('application/json')
  expect([whole.status, whole.headers.get('retry-after')]).toEqual([429, '300'])
  const words = 'The AI provider answered with a non-2xx status code (429): too many requests.'
  expect(await whole.json()).toMatchObject({ error: { code: 'too_many', message: words } })
  expect(await (await ask('text/event-stream')).text()).toContain(`"message":"${words}"`)
  // The question is embedded before there is an answer to stream.
  provider.reset()
  provider.always('embeddings', { kind: 'status', status: 429, headers: { 'retry-after': '300' } })
  const refused = await ask('application/json')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300'])
})

describe('the refresh of a journal', () => {
  let path: string
  const refresh = async () => {
    const response = await client.fetch(path, { method: 'POST' })
    const { error } = (await response.json()) as { error: { message: string } }
    return { status: response.status, retryAfter: response.headers.get('retry-after'), message: error.message }
  }
  beforeAll(async () => {
    const body = { name: 'Sleep Letters', openalex_id: 'S1000002' }
    path = api.adminJournalRefresh((await client.json<{ data: Journal }>(api.adminCatalogue(), { body })).data.id)
  })

  it.each([
    [429, 429, /^\d+$/, 'OpenAlex asks to slow down. Please try again later.'],
    [403, 502, null, 'OpenAlex refuses this installation’s key.'],
    [500, 502, null, 'OpenAlex failed (500). Please try again later.'],
  ])('The refresh names the reason when OpenAlex answers %i', async (how, status, retryAfter, reason) => {
    openAlex.fail(how)
    expect(await refresh()).toEqual({
      status,
      retryAfter: retryAfter === null ? null : expect.stringMatching(retryAfter),
      message: `Failed to fetch journal data from OpenAlex. ${reason}`,
    })
  })

  it('The refresh ends after one try when OpenAlex is silent', async () => {
    openAlex.fail('silence')
    openAlex.seen.length = 0
    expect(await refresh()).toMatchObject({ status: 504 })
    expect(openAlex.seen).toHaveLength(1)
  })
})
