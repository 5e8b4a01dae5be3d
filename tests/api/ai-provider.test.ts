import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Client as Postgres } from 'pg'
import { startEmbeddedDatabase } from '#server/db/embedded/index.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import type { Site } from '#shared/contract/site.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { connectMcp, newKey } from '#tests/helpers/mcp-client.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const KEY = 'sk-provider-0123456789'
const TEXT = joinPages([
  'Walking and sleep in adults\n\ndoi:10.5555/lectern.42\n\nWe asked two hundred adults to walk every day for a year. Those who walked slept forty minutes longer each night.',
  'The effect was smaller in people over seventy. No participant was hurt while walking in this trial.',
])

let provider: OpenAiServer
let server: TestServer
let client: Client

beforeAll(async () => {
  provider = await startOpenAiServer({ key: KEY })
  server = await startServer({
    env: {
      AI_BASE_URL: provider.url,
      AI_API_KEY: KEY,
      AI_CHAT_MODEL: 'test-chat',
      AI_EMBEDDING_MODEL: 'text-embedding-test',
    },
  })
  client = await signUp(server.url)
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})
afterEach(() => provider.reset())

/** Calls a route under /functions/v1. Returns its status, its headers and its body. */
async function call(
  name: string,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await client.fetch(functionPath(name), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

const analyze = () => call('analyze-pdf', { text: TEXT, system_prompt: 'Summarise.', model: 'default' })

describe('server functions with a provider', () => {
  it('The list of models has the chat models of the provider after the built-in model (FUNC-27)', async () => {
    const { data } = await client.json<{ data: { id: string }[] }>(api.models())
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['built-in', 'test-chat', 'test-vision']))
    expect(data.map(({ id }) => id)).not.toContain('text-embedding-test')
  })

  it('Every user can read which model answers, and no user can read the key', async () => {
    const text = await (await fetch(`${server.url}${api.site()}`)).text()
    expect((JSON.parse(text) as { data: Site }).data.ai).toMatchObject({ provider: true, chat_model: 'test-chat' })
    expect(text).not.toContain(KEY)
  })

  it('The provider analyzes a text', async () => {
    const { status, body } = await analyze()
    expect([status, body]).toMatchObject([
      200,
      { data: { title: 'Walking and sleep in adults', doi: '10.5555/lectern.42' } },
    ])
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('The provider embeds a text', async () => {
    const { status, body } = await call('generate-query-embedding', { query: 'walking and sleep' })
    expect(status).toBe(200)
    expect(body['embedding']).toHaveLength(64)
    expect(provider.requests.map(({ path }) => path)).toEqual(['/v1/embeddings'])
  })

  it.each([
    [
      'refuses the key',
      { kind: 'status', status: 401, message: `Wrong key ${KEY}` },
      502,
      'The AI provider refused the key',
    ],
    [
      'asks to wait for long',
      { kind: 'status', status: 429, headers: { 'retry-after': '300' } },
      429,
      'non-2xx status code',
    ],
    ['finds the paper too long', { kind: 'too-long' }, 422, 'Request too large'],
    ['sends a web page', { kind: 'garbage' }, 502, 'web page'],
    ['sends nothing', { kind: 'ok', content: '' }, 502, 'No analysis data received from the service'],
  ] as const)(
    'An analysis reports an error when the provider %s (FUNC-06, MSG-49, ERR-19)',
    async (_how, mode, status, words) => {
      provider.next('chat', mode)
      const answer = await analyze()
      expect([answer.status, answer.body]).toMatchObject([status, { error: expect.stringContaining(words) }])
      expect(JSON.stringify(answer.body)).not.toContain(KEY)
      expect(answer.headers.get('retry-after')).toBe(status === 429 ? '300' : null)
    },
  )

  it.each([
    ['Level II', 'Level 2'],
    ['Ib', 'Level 1b'],
    ['III-2', 'Level III-2'],
    ['4', 'Level 4'],
    ['2b - cohort study', 'Level 2b: cohort study'],
    ['Moderate certainty (GRADE)', 'Moderate certainty (GRADE)'],
    ['not stated', 'Unknown'],
  ])('An analysis stores the evidence level %j as %j', async (given, level) => {
    provider.next('chat', { kind: 'ok', content: JSON.stringify({ summary: ['It helps.'], level_of_evidence: given }) })
    expect(await analyze()).toMatchObject({ status: 200, body: { data: { level_of_evidence: level } } })
  })

  it('An analysis reports an error after three failures, and after two replies that are not JSON', async () => {
    provider.always('chat', { kind: 'status', status: 500 })
    expect(await analyze()).toMatchObject({
      status: 502,
      body: { error: expect.stringContaining('non-2xx status code') },
    })
    expect(provider.requests).toHaveLength(3)
    provider.reset()
    provider.always('chat', { kind: 'ok', content: '{"title": "cut' })
    expect(await analyze()).toMatchObject({
      status: 502,
      body: { error: 'The analysis service sent an answer that could not be read.' },
    })
    expect(provider.requests).toHaveLength(2)
  })

  it('An analysis survives one failure: a 500, a short wait, a broken stream, a refused response format', async () => {
    for (const mode of [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
      { kind: 'break-off', content: '{"summary": ["The' },
      { kind: 'refuses', parameter: 'response_format' },
    ] as const) {
      provider.next('chat', mode)
      expect(await analyze(), `after ${mode.kind}`).toMatchObject({
        status: 200,
        body: { data: { title: 'Walking and sleep in adults' } },
      })
    }
    expect(provider.requests).toHaveLength(8)
  })
})

describe('a document with a provider', () => {
  let document: DocumentDetail
  const read = async () => (document = (await client.json<{ data: DocumentDetail }>(api.document(document.id))).data)
  const run = async (path: string, body: unknown) =>
    client.job((await client.json<{ data: Job }>(path, { body })).data.id)
  const ask = (accept: string) =>
    client.fetch(api.documentChat(document.id), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ question: 'How much longer did people sleep who walked?' }),
    })

  beforeAll(async () => {
    const { data: project } = await client.json<{ data: Project }>(api.projects(), { body: { name: 'Sleep' } })
    const pdf = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
    const { id } = await client.upload(project.id, new File([pdf], 'paper.pdf', { type: 'application/pdf' }))
    await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: TEXT } })
    document = { id } as DocumentDetail
  })

  it('A document is analyzed by a provider, and the quotes are found in its text', async () => {
    const { data: prompts } = await client.json<{ data: Prompt[] }>(api.prompts())
    const job = await run(api.documentAnalyze(document.id), { prompt_id: prompts.find((one) => one.default)?.id })
    expect(job).toMatchObject({ status: 'completed', error: null })
    const { analysis_model, insights, passages } = await read()
    expect(analysis_model).toBe('test-chat')
    expect(insights).toEqual(['The provider found: Those who walked slept forty minutes longer each night.'])
    expect(passages.find(({ field }) => field === 'insights')).toMatchObject({ page: 1, match: 'exact', score: 1 })
  })

  it('A document keeps its status when the analysis fails (STATE-18)', async () => {
    provider.always('chat', { kind: 'too-long' })
    const { data: prompts } = await client.json<{ data: Prompt[] }>(api.prompts())
    const job = await run(api.documentAnalyze(document.id), { again: true, prompt_id: prompts[0]?.id })
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('Request too large') })
    expect(await read()).toMatchObject({
      status: 'error',
      status_message: expect.stringContaining('Request too large'),
      failed_step: 'analyze',
    })
  })

  it('A document is vectorized by the embedding model and answers by the chat model', async () => {
    expect(await run(api.documentVectorize(document.id), { force: false })).toMatchObject({ status: 'completed' })
    expect(await read()).toMatchObject({ embedding_model: 'text-embedding-test' })
    const response = await ask('application/json')
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: ChatAnswer }
    expect(data.model).toBe('test-chat')
    expect(data.sources.length).toBeGreaterThan(0)
    expect(data.statements[0]?.passages[0]).toMatchObject({ page: 1, match: expect.not.stringMatching('none') })
  })

  it('A search with a key that lacks the scope ask searches by words and asks no provider (KEY-05)', async () => {
    const search = async (key: string) =>
      (await fetch(server.url + api.search({ q: 'walking' }), { headers: { authorization: `Bearer ${key}` } })).json()
    const reader = await newKey(client, { scopes: ['read'] })
    const before = provider.requests.length
    expect(await search(reader)).toMatchObject({ words_only: 'key' })
    expect(provider.requests).toHaveLength(before)
    expect(await search(await newKey(client, { scopes: ['read', 'ask'] }))).toMatchObject({ words_only: null })
    expect(provider.requests).toHaveLength(before + 1)
  })

  it('A file that a key without the scope ask adds is extracted, and no provider is asked (KEY-05)', async () => {
    const body = { name: 'By itself', process_automatically: true }
    const { data: project } = await client.json<{ data: Project }>(api.projects(), { body })
    const pdf = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
    const differing = (text: string) => Buffer.concat([pdf, Buffer.from(`\n% ${text}\n`)])
    const upload = (key: string, text: string, fields: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ project_id: project.id, ...fields })) form.append(name, value)
      form.append('file', new File([differing(text)], 'paper.pdf', { type: 'application/pdf' }))
      const headers = { authorization: `Bearer ${key}` }
      return fetch(server.url + api.documents(), { method: 'POST', body: form, headers })
    }
    const idOf = async (response: Response) => ((await response.json()) as { data: { id: string } }).data.id
    const jobsOf = async (id: string) => (await client.json<{ data: Job[] }>(api.jobs({ document_id: id }))).data
    const writer = await newKey(client, { scopes: ['read', 'write'] })
    const before = provider.requests.length
    const refused = await upload(writer, 'Refused', { process_automatically: 'true' })
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { code: 'scope', message: 'This key may not do that. It needs the scope "ask".' } },
    ])
    const uploaded = await idOf(await upload(writer, 'Uploaded with a key'))
    const files = [{ name: 'added.pdf', content: differing('added by an assistant').toString('base64') }]
    const { call: callTool } = await connectMcp(server.url, writer)
    const { data } = await callTool('add_papers', { project_id: project.id, files })
    const [added] = data['created'] as { document_id: string }[]
    const paper = { title: 'An abstract', abstract: 'Those who walked slept longer.' }
    const item = await callTool('add_papers', { project_id: project.id, items: [paper] })
    const [known] = item.data['created'] as { document_id: string }[]
    const fromFiles = [uploaded, added!.document_id]
    for (const id of fromFiles) for (const job of await jobsOf(id)) await client.job(job.id)
    expect(provider.requests).toHaveLength(before)
    // The next steps of this file start after those of the files above would have started.
    const marker = await idOf(await upload(await newKey(client), 'Uploaded later'))
    await expect
      .poll(async () => (await jobsOf(marker)).map(({ kind }) => kind).toSorted())
      .toEqual(['analyze', 'extract', 'vectorize'])
    for (const id of fromFiles) expect((await jobsOf(id)).map(({ kind }) => kind)).toEqual(['extract'])
    expect(await jobsOf(known!.document_id)).toEqual([])
  })

  it('A document streams its answer, and reports a broken stream', async () => {
    const whole = await (await ask('text/event-stream')).text()
    expect(whole).toMatch(/event: ?delta/)
    expect(whole).toMatch(/event: ?done/)
    provider.next('chat', { kind: 'break-off', content: 'Those who walked slept' })
    const broken = await (await ask('text/event-stream')).text()
    expect(broken).toContain('Those who walked')
    expect(broken).toMatch(/event: ?error/)
    expect(broken).not.toMatch(/event: ?done/)
  })
})

// The embedded database can be read only after the server has stopped; the address of a database on a PostgreSQL server
// is not known to this test.
it.skipIf(process.env['TEST_DATABASE_URL'])('Every call is recorded, also failed calls', async () => {
  await server.kill('SIGTERM')
  const embedded = await startEmbeddedDatabase({ dataDir: `${server.dataDir}/database` })
  const database = new Postgres(embedded.connection)
  await database.connect()
  try {
    const { rows } = await database.query<{
      purpose: string
      ok: boolean
      calls: string
      cost: number
      tokens: string
    }>(
      'select purpose, ok, count(*) as calls, sum(cost_usd) as cost, sum(tokens_in) as tokens from ai_calls where user_id = $1 group by purpose, ok',
      [client.userId],
    )
    const kinds = rows.map(({ purpose, ok }) => `${purpose} ${ok ? 'ok' : 'failed'}`)
    expect(kinds.sort()).toEqual(['analysis failed', 'analysis ok', 'answer failed', 'answer ok', 'embedding ok'])
    for (const row of rows.filter(({ ok }) => ok)) {
      expect(Number(row.tokens)).toBeGreaterThan(0)
      expect(row.cost).toBeGreaterThan(0)
    }
  } finally {
    await database.end()
    await embedded.stop()
  }
  expect(server.output(), 'the key is in no log').not.toContain(KEY)
})
