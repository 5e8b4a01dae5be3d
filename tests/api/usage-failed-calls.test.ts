import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { api, functionPath } from '#shared/contract/paths.ts'
import { type Mode, type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const TEXT = '[Page 1]\nWalking helps. We asked two hundred adults to walk every day for a whole year.'

let provider: OpenAiServer
let server: TestServer
let admin: Client

beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({
    env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat', AI_EMBEDDING_MODEL: 'text-embedding-test' },
  })
  admin = await signUp(server.url)
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})
afterEach(() => provider.reset())

const call = (client: Client, name: string, body: object) =>
  client.fetch(functionPath(name), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const analyze = (client: Client) =>
  call(client, 'analyze-pdf', { text: TEXT, system_prompt: 'Summarise.', model: 'test-chat' })

type Row = Record<'person' | 'model' | 'calls' | 'failed' | 'ok' | 'tokens_in' | 'tokens_out' | 'cost_usd', string> & {
  tokens_estimated: string
}
async function exported(rows: 'days' | 'calls'): Promise<Row[]> {
  const text = await (await admin.fetch(api.adminUsageExport({ rows }))).text()
  const [head, ...lines] = text.trimEnd().split('\r\n')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(head!.split(',').map((name, at) => [name, cells[at]])) as Row
  })
}

const sum = (rows: readonly Row[], column: keyof Row) => rows.reduce((total, row) => total + Number(row[column]), 0)

/** Sums the rows of a user in both usage tables: single calls and days. */
async function bothTables(client: Client) {
  const [calls, days] = await Promise.all([exported('calls'), exported('days')])
  const own = (rows: Row[]) => rows.filter(({ person }) => person === client.email)
  return {
    calls: {
      number: own(calls).length,
      failed: own(calls).filter(({ ok }) => ok === 'false').length,
      tokens: sum(own(calls), 'tokens_in') + sum(own(calls), 'tokens_out'),
      cost: sum(own(calls), 'cost_usd'),
    },
    days: {
      number: sum(own(days), 'calls'),
      failed: sum(own(days), 'failed'),
      tokens: sum(own(days), 'tokens_in') + sum(own(days), 'tokens_out'),
      cost: sum(own(days), 'cost_usd'),
    },
    rows: own(calls),
  }
}

describe('a failed call', () => {
  it.each<[string, Mode, number]>([
    ['a refused key (401)', { kind: 'status', status: 401 }, 1],
    ['too many requests (429)', { kind: 'status', status: 429 }, 3],
    ['a failure of the provider (500)', { kind: 'status', status: 500 }, 3],
    ['a web page', { kind: 'garbage' }, 1],
    ['broken JSON', { kind: 'broken-json' }, 1],
    ['broken JSON in place of a stream', { kind: 'broken-json', whole: true }, 1],
    ['a stream that breaks before the first word', { kind: 'break-off', content: '' }, 3],
  ])('A failed call counts no tokens and costs nothing after %s', async (_what, mode, tries) => {
    const client = await signUp(server.url)
    provider.always('chat', mode)
    expect((await analyze(client)).status).toBeGreaterThan(400)
    const { calls, days } = await bothTables(client)
    expect(calls).toEqual({ number: tries, failed: tries, tokens: 0, cost: 0 })
    expect(days).toEqual(calls)
  })

  it('A failed call of an embedding model counts no tokens and costs nothing', async () => {
    const client = await signUp(server.url)
    provider.always('embeddings', { kind: 'status', status: 500 })
    expect((await call(client, 'generate-query-embedding', { query: 'walking' })).status).toBe(502)
    const { calls, days } = await bothTables(client)
    expect(calls).toEqual({ number: 3, failed: 3, tokens: 0, cost: 0 })
    expect(days).toEqual(calls)
  })

  it('A call that sent text before its stream broke counts an estimate of the sent and received tokens', async () => {
    const client = await signUp(server.url)
    provider.next('chat', { kind: 'break-off', content: '{"summary": [' })
    expect((await analyze(client)).status).toBe(200)
    const { calls, days, rows } = await bothTables(client)
    expect(calls).toMatchObject({ number: 2, failed: 1 })
    expect({ ...days, cost: expect.closeTo(days.cost, 10) }).toEqual(calls)
    const broken = rows.find(({ ok }) => ok === 'false')!
    expect(broken.tokens_estimated).toBe('true')
    expect(Number(broken.tokens_in)).toBeGreaterThan(100)
    expect(Number(broken.cost_usd)).toBeGreaterThan(0)
  })

  it('A failed call counts the tokens that the provider reported', async () => {
    const client = await signUp(server.url)
    provider.next('chat', { kind: 'ok', finish: 'length', content: 'Those' })
    expect((await analyze(client)).status).toBe(502)
    const { rows } = await bothTables(client)
    expect(rows).toMatchObject([{ ok: 'false', tokens_estimated: 'false', tokens_out: '1' }])
  })

  it('A failed call uses no budget, and work continues when the provider has recovered', async () => {
    const client = await signUp(server.url)
    await admin.json(api.adminBudgets(), {
      method: 'PUT',
      body: { scope: 'person', person: client.email, dollars: 0.5 },
    })
    provider.always('chat', { kind: 'status', status: 429 })
    expect((await analyze(client)).status).toBe(429)
    expect((await analyze(client)).status).toBe(429)
    provider.reset()
    expect((await analyze(client)).status).toBe(200)
  })
})
