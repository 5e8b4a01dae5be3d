import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, functionPath } from '#shared/contract/paths.ts'
import type { BackendUsage, Budgets, ModelPrice, UsageOverview } from '#shared/contract/usage.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

const today = () => new Date().toISOString().slice(0, 10)

let provider: OpenAiServer
let server: TestServer
let admin: Client
let user: Client
/** A user whose name a spreadsheet program would interpret as a formula. */
let formula: Client

beforeAll(async () => {
  provider = await startOpenAiServer({ models: [{ id: 'test-chat' }, { id: 'openai/gpt-4o-mini-2024-07-18' }] })
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  admin = await signUp(server.url)
  user = await signUp(server.url)
  formula = await signUp(server.url)
  await formula.json(api.profile(formula.userId), { method: 'PATCH', body: { full_name: '=1+1' } })
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})

const TEXT = '[Page 1]\nWalking helps. We asked two hundred adults to walk every day for a whole year.'
const analyze = (client: Client, model: string) =>
  client.fetch(functionPath('analyze-pdf'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: TEXT, system_prompt: 'Summarise.', model }),
  })
const usage = async (query = {}) => (await admin.json<{ data: UsageOverview }>(api.adminUsage(query))).data
const setPrice = (body: object) => admin.json(api.adminPrices(), { method: 'PUT', body })
const setBudget = async (body: object) =>
  (await admin.json<{ data: Budgets }>(api.adminBudgets(), { method: 'PUT', body })).data
const csv = async (rows: 'days' | 'calls') => {
  const response = await admin.fetch(api.adminUsageExport({ rows }))
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="usage-.+\.csv"$/)
  return (await response.text()).trimEnd().split('\r\n')
}

describe('usage', () => {
  it('Usage adds up tokens and cost, at the default rate without another price (ADMC-03, ADMC-04, CONST-29, FUNC-26)', async () => {
    expect(await usage()).toMatchObject({ total: { tokens: 0, cost_usd: 0, since: null }, days: [], people_count: 0 })
    expect((await analyze(user, 'test-chat')).status).toBe(200)
    const seen = await usage()
    expect(seen.total.tokens).toBeGreaterThan(0)
    expect(seen.total.cost_usd).toBeCloseTo(seen.total.tokens * 0.0001, 10)
    expect(seen.total.default_cost_usd).toBeCloseTo(seen.total.cost_usd, 10)
    expect(seen.total.since).toBe(today())
    expect(seen.models[0]!.price).toEqual({
      model: 'test-chat',
      dollars_in: 100,
      dollars_out: 100,
      source: 'default',
      is_set: false,
    })
    const answer = await admin.json<{ data: { total_tokens: number; refreshed_at: string } }>(
      functionPath('fetch-openai-usage'),
      { body: {} },
    )
    expect(answer.data).toEqual({ total_tokens: seen.total.tokens, refreshed_at: expect.stringContaining(today()) })
  })

  it('Usage is reported by day, purpose, model and user, including free and failed calls', async () => {
    expect((await analyze(formula, 'openai/gpt-4o-mini-2024-07-18')).status).toBe(200)
    expect((await analyze(formula, 'built-in')).status).toBe(200)
    provider.next('chat', { kind: 'status', status: 401 })
    expect((await analyze(user, 'test-chat')).status).toBe(502)
    const seen = await usage({ from: today(), to: today() })
    expect(seen.period).toMatchObject({ calls: 4, failed: 1 })
    const parts = [seen.days, seen.purposes, seen.models, seen.people]
    for (const part of parts) {
      expect(part.reduce((sum, one) => sum + one.tokens, 0)).toBe(seen.period.tokens)
      expect(part.reduce((sum, one) => sum + one.cost_usd, 0)).toBeCloseTo(seen.period.cost_usd, 10)
    }
    expect(Object.fromEntries(seen.models.map(({ price }) => [price.model, price.source]))).toEqual({
      'test-chat': 'default',
      'openai/gpt-4o-mini-2024-07-18': 'list',
      'built-in': 'free',
    })
    expect(new Set(seen.people.map(({ email }) => email))).toEqual(new Set([user.email, formula.email]))
    expect(await usage({ from: '2020-01-01', to: '2020-01-31' })).toMatchObject({ period: { calls: 0 }, days: [] })
    expect((await admin.fetch(api.adminUsage({ from: '2024-02-02', to: '2024-02-01' }))).status).toBe(400)
  })

  it('Usage is exported by day and by call, safe for a spreadsheet', async () => {
    const days = await csv('days')
    expect(days[0]).toBe('day,person,name,model,purpose,calls,failed,tokens_in,tokens_out,cost_usd')
    expect(days).toHaveLength(4)
    expect(days.join('\n')).toContain(`${today()},${formula.email},'=1+1,built-in,analysis,1,0,`)
    const calls = await csv('calls')
    expect(calls).toHaveLength(5)
    expect(calls.filter((line) => line.includes(',false,outside_failed,'))).toHaveLength(1)
  })

  it.each(['days', 'calls'] as const)(
    'Usage is exported by %s with a byte-order mark for Excel on request',
    async (rows) => {
      const bytes = async (bom?: '1') =>
        Buffer.from(await (await admin.fetch(api.adminUsageExport(bom ? { rows, bom } : { rows }))).arrayBuffer())
      const plain = await bytes()
      expect(plain.toString('latin1', 0, 3)).toBe(rows === 'days' ? 'day' : 'tim')
      const marked = await bytes('1')
      expect([...marked.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      expect(marked.subarray(3)).toEqual(plain)
      expect(marked.toString()).toContain(`,'=1+1,`)
    },
  )

  it('Usage is shown to admins only (SEC-04, FUNC-31)', async () => {
    for (const [method, path] of [
      ['GET', api.adminUsage()],
      ['GET', api.adminBackend()],
      ['GET', api.adminUsageExport()],
      ['GET', api.adminPrices()],
      ['PUT', api.adminPrices()],
      ['GET', api.adminBudgets()],
      ['PUT', api.adminBudgets()],
      ['POST', functionPath('fetch-openai-usage')],
      ['POST', functionPath('rpc/get_storage_size')],
      ['POST', functionPath('rpc/get_database_size')],
    ] as const)
      expect([path, (await user.fetch(path, { method })).status]).toEqual([path, 403])
  })
})

describe('prices', () => {
  const cost = async (model: string) => {
    const found = (await usage()).models.find(({ price }) => price.model === model)!
    return { cost: found.cost_usd, source: found.price.source, tokens: found.tokens }
  }

  it('Prices of an admin apply from then on, to earlier calls on request, and can be removed (ADMC-05)', async () => {
    const before = await cost('test-chat')
    await setPrice({ model: 'Test-Chat', dollars_in: 1, dollars_out: 1 })
    expect(await cost('test-chat')).toEqual({ ...before, source: 'set' })
    await analyze(user, 'test-chat')
    const added = await cost('test-chat')
    expect(added.cost - before.cost).toBeCloseTo((added.tokens - before.tokens) / 1_000_000, 10)
    await setPrice({ model: 'test-chat', dollars_in: 2, dollars_out: 2, reprice: true })
    expect((await cost('test-chat')).cost).toBeCloseTo((added.tokens * 2) / 1_000_000, 10)
    const deleted = await admin.fetch(api.adminPrices({ model: 'test-chat', reprice: 'true' }), { method: 'DELETE' })
    expect(deleted.status).toBe(204)
    const after = await cost('test-chat')
    expect([after.source, after.cost]).toEqual(['default', expect.closeTo(added.tokens * 0.0001, 10)])
  })

  it('Prices of a model apply to its dated versions, and the most similar name has priority', async () => {
    await setPrice({ model: 'gpt-4o-mini', dollars_in: 5, dollars_out: 5 })
    expect((await cost('openai/gpt-4o-mini-2024-07-18')).source).toBe('set')
    const { data } = await admin.json<{ data: ModelPrice[] }>(api.adminPrices())
    const price = { dollars_in: 5, dollars_out: 5, source: 'set' }
    expect(data).toContainEqual({ model: 'gpt-4o-mini', ...price, is_set: true })
    // Only the price of exactly this name can be removed.
    const version = 'openai/gpt-4o-mini-2024-07-18'
    expect(data).toContainEqual({ model: version, ...price, is_set: false })
    expect((await admin.fetch(api.adminPrices({ model: version }), { method: 'DELETE' })).status).toBe(404)
    const negative = await admin.fetch(api.adminPrices(), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'x', dollars_in: -1, dollars_out: 0 }),
    })
    expect(negative.status).toBe(422)
  })
})

describe('changes of two admins at the same time (SHR-30)', () => {
  const put = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await admin.fetch(path, { method: 'PUT', headers, body: JSON.stringify(body) })
    const { error } = (await response.json()) as { error?: { code: string; current: object } }
    return { status: response.status, code: error?.code, current: error?.current }
  }

  it('A budget that another admin set meanwhile is refused with the current budget (SHR-30)', async () => {
    const budget = { scope: 'person', person: formula.email }
    const set = (dollars: number | null, seen?: number | null) => put(api.adminBudgets(), { ...budget, dollars, seen })
    // Of twenty admins who all saw no budget, one succeeds.
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => set(index, null)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const won = answers.findIndex(({ status }) => status === 200)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toEqual({ status: 409, code: 'changed', current: { dollars: won } })
    expect((await set(null, 99)).status).toBe(409)
    // The same amount again is no conflict, and a call without `seen` replaces every amount.
    expect((await set(won, null)).status).toBe(200)
    expect((await set(50)).status).toBe(200)
    expect((await set(null, 50)).status).toBe(200)
  })

  it('A price that another admin set meanwhile is refused with the current price (SHR-30)', async () => {
    const set = (dollars_in: number, seen?: object | null) =>
      put(api.adminPrices(), { model: 'Shared-Model', dollars_in, dollars_out: 1, seen })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => set(index, null)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const won = { dollars_in: answers.findIndex(({ status }) => status === 200), dollars_out: 1 }
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toEqual({ status: 409, code: 'changed', current: { price: won } })
    expect((await set(50, won)).status).toBe(200)
    expect((await set(60, won)).current).toEqual({ price: { dollars_in: 50, dollars_out: 1 } })
    expect((await set(60)).status).toBe(200)
    expect((await admin.fetch(api.adminPrices({ model: 'shared-model' }), { method: 'DELETE' })).status).toBe(204)
  })
})

describe('a monthly budget', () => {
  const refused = async (client: Client) => {
    const response = await analyze(client, 'test-chat')
    return { status: response.status, error: ((await response.json()) as { error?: string }).error }
  }

  it('A budget of the installation stops new work with a provider, and not the built-in model', async () => {
    const { installation } = await setBudget({ scope: 'installation', dollars: 0.000001 })
    expect(installation.spent_usd).toBeGreaterThan(0)
    expect(await refused(user)).toEqual({
      status: 422,
      error: expect.stringMatching(
        /^The monthly AI budget of this installation is used up\. New AI work can start on 1 /,
      ),
    })
    expect((await analyze(user, 'built-in')).status).toBe(200)
    await setBudget({ scope: 'installation', dollars: null })
    expect((await refused(user)).status).toBe(200)
  })

  it('A budget of a user stops this user only, and an own budget has priority', async () => {
    type Entry = { details: object; person: { email: string } | null }
    const budgetEntries = async () => (await admin.json<{ data: Entry[] }>('/api/admin/audit?kind=budget')).data
    const earlier = (await budgetEntries()).length
    await setBudget({ scope: 'everyone', dollars: 0.000001 })
    expect(await refused(user)).toMatchObject({ error: expect.stringContaining('Your monthly AI budget is used up.') })
    // The admin has not used any of the budget, so one call is admitted.
    expect((await refused(admin)).status).toBe(200)
    expect((await refused(admin)).status).toBe(422)
    const { people } = await setBudget({ scope: 'person', person: user.email.toUpperCase(), dollars: 100 })
    expect(people.find(({ user_id }) => user_id === user.userId)).toMatchObject({ dollars: 100 })
    // A user with an own budget is listed first, also without any cost.
    const idle = await signUp(server.url)
    const all = (await setBudget({ scope: 'person', person: idle.email, dollars: 100 })).people
    expect(all.slice(0, 2).map(({ user_id }) => user_id)).toEqual([user.userId, idle.userId])
    expect((await refused(user)).status).toBe(200)
    await setBudget({ scope: 'everyone', dollars: null })
    expect((await refused(admin)).status).toBe(200)
    const unknown = { scope: 'person', person: 'unknown@example.org', dollars: 1 }
    await expect(setBudget(unknown)).rejects.toThrow('Person not found')
    const data = await budgetEntries()
    expect(data.length - earlier).toBe(4)
    // The log has the name of the user, and not only an id.
    expect(data[1]).toMatchObject({
      person: { email: idle.email },
      details: { dollars_a_month: { from: null, to: 100 } },
    })
  })
})

describe('twenty calls at once', () => {
  it('Twenty calls at the same time cost no more than in turn, because running calls count as spent', async () => {
    const spent = async () => (await setBudget({ scope: 'installation', dollars: null })).installation.spent_usd
    const before = await spent()
    expect((await analyze(user, 'test-chat')).status).toBe(200)
    const one = (await spent()) - before
    // The rest of the budget is enough for three and a half calls. The fourth call can start, the fifth cannot.
    await setBudget({ scope: 'installation', dollars: before + 4.5 * one })
    const answers = await Promise.all(Array.from({ length: 20 }, () => analyze(user, 'test-chat')))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array<number>(4).fill(200), ...Array<number>(16).fill(422)])
    for (const answer of answers)
      if (answer.status === 422) expect(await answer.text()).toContain('The monthly AI budget of this installation is')
    expect((await spent()) - before).toBeCloseTo(5 * one, 10)
    // Calls far below the budget do not wait for each other.
    await setBudget({ scope: 'installation', dollars: 1000 })
    const freely = await Promise.all(Array.from({ length: 20 }, () => analyze(user, 'test-chat')))
    expect(new Set(freely.map(({ status }) => status))).toEqual(new Set([200]))
    await setBudget({ scope: 'installation', dollars: null })
  })
})

describe('the backend', () => {
  it('The backend page has the size and the cost of files and database (FUNC-31, ADMC-06, CONST-30, CONST-31, ADMC-03)', async () => {
    const project = await user.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })
    const bytes = Buffer.concat([onePagePdf(['Words']), Buffer.alloc(3 * 1024 * 1024, 32)])
    await user.upload(project.data.id, new File([bytes], 'large.pdf', { type: 'application/pdf' }))
    const { data } = await admin.json<{ data: BackendUsage }>(api.adminBackend())
    expect(data.storage.size_mb).toBeGreaterThan(3)
    expect(data.storage.kinds['documents']).toBeCloseTo(data.storage.size_mb, 3)
    expect(data.storage.cost_usd).toBeCloseTo((data.storage.size_mb / 1000) * 0.021, 10)
    expect(data.database.size_mb).toBeGreaterThan(1)
    expect(data.database.cost_usd).toBeCloseTo((data.database.size_mb / 1000) * 0.125, 10)
    expect(data.database.tables.length).toBeGreaterThan(3)
    expect(await admin.json(functionPath('rpc/get_storage_size'), { body: {} })).toEqual({
      size_mb: data.storage.size_mb,
    })
    expect(await admin.json(functionPath('rpc/get_database_size'), { body: {} })).toEqual({
      size_mb: expect.any(Number),
    })
  })
})

it('The usage of a deleted account stays, without its name', async () => {
  const before = await usage()
  const deleted = await formula.fetch(api.account(), {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: formula.password }),
  })
  expect(deleted.status).toBeLessThan(300)
  const after = await usage()
  expect(after.total).toEqual({ ...before.total, cost_usd: expect.closeTo(before.total.cost_usd, 10) })
  expect(after.people.find(({ user_id }) => user_id === null)).toMatchObject({ email: null, calls: 2 })
  expect((await csv('days')).join('\n')).not.toContain(formula.email)
})
