import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { BUILT_IN_MODEL, type Prompt } from '#shared/contract/prompts.ts'
import {
  DIFFERENT_KINDS,
  joinParts,
  type Run,
  type RunComparison,
  type RunDetails,
  type RunList,
} from '#shared/contract/runs.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { newKey } from '#tests/helpers/mcp-client.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const words = await readFile(new URL('../fixtures/paper.txt', import.meta.url), 'utf8')
let provider: OpenAiServer
let server: TestServer
let ada: Client
let ben: Client
let eve: Client
let project: string

beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  ada = await signUpAdmin(server)
  ben = await signUp(server.url)
  eve = await signUp(server.url)
  project = (await ada.json<{ data: Project }>(api.projects(), { body: { name: 'Ledger' } })).data.id
  await inDatabase(server, 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)', [
    project,
    ben.userId,
    'viewer',
  ])
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const listed = (client: Client, params = {}) => client.json<RunList>(api.runs(project, params))
const details = async (client: Client, id: string) => (await client.json<{ data: RunDetails }>(api.run(id))).data
const compare = async (one: string, other: string) =>
  (await ada.json<{ data: RunComparison }>(api.runComparison(one, other))).data

async function paperIn(projectId: string | null, text = `[Page 1]\n${words}`): Promise<string> {
  const { id } = await ada.upload(project, new File([onePagePdf(['Naps.'])], 'naps.pdf', { type: 'application/pdf' }))
  await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  if (projectId === null) await ada.json(api.document(id), { method: 'PATCH', body: { project_id: null } })
  return id
}

async function analyze(id: string, body: object = {}, client = ada): Promise<Job> {
  const { data } = await client.json<{ data: Job }>(api.documentAnalyze(id), { body })
  return ada.job(data.id)
}

const chatCalls = () => provider.requests.filter(({ path }) => path === '/v1/chat/completions').length
const newPrompt = async (name: string, prompt: string, model = 'default') =>
  (await ada.json<{ data: Prompt }>(api.prompts(), { body: { name, prompt, model } })).data.id

describe('runs of a project', () => {
  it('An analysis with the same input uses the stored output, and "again" calls the model (FND-30, FND-31, FND-32)', async () => {
    const id = await paperIn(project)
    const first = await analyze(id)
    expect(first).toMatchObject({ status: 'completed', result: { cached: false, model: 'test-chat' } })
    const calls = chatCalls()
    const run = (await read(id)).run!
    const made = await details(ada, run.id)
    expect(made).toMatchObject({
      number: 1,
      kind: 'analysis',
      via: 'web',
      created_by: { id: ada.userId },
      model: 'test-chat',
      status: 'completed',
      papers: 1,
      cached: false,
      stored_from: null,
      error: null,
      input: { documents: [{ id, text_version: 1 }] },
      read_papers: [{ id }],
      prompt: { version: 1 },
    })
    expect(made.tokens_in).toBeGreaterThan(0)
    expect(made.prompt_text_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(made.model_settings).toMatchObject({ provider: new URL(provider.url).host, temperature: 0 })
    const insight = made.values.find(({ label }) => label === 'Insight')!
    expect(insight.evidence[0]).toMatchObject({ document_id: id, page: 1, match: expect.not.stringContaining('none') })

    // The stored output is used, also after a changed summary, which stays.
    await ada.json(api.document(id), { method: 'PATCH', body: { summary: 'My summary.' } })
    const summary = made.values.find(({ label }) => label === 'Summary')!.text
    await ada.json(api.document(id), { method: 'PATCH', body: { summary: 'My second summary.' } })
    await ada.json(api.document(id), { method: 'PATCH', body: { summary: 'My summary.' } })
    const edits = { count: 3, data: [{}, { former: 'My summary.', run: null }, { former: summary, field: 'summary' }] }
    expect(await ben.json(api.documentEdits(id))).toMatchObject(edits)
    expect((await ben.json<{ data: object[] }>(api.documentEdits(id))).data[2]).toMatchObject({
      edited_by: { id: ada.userId },
      run: { id: run.id, number: 1 },
    })
    expect((await eve.fetch(api.documentEdits(id))).status).toBe(404)
    expect(await analyze(id)).toMatchObject({ status: 'completed', result: { cached: true } })
    expect(chatCalls()).toBe(calls)
    const after = await read(id)
    expect(after).toMatchObject({ summary: 'My summary.', run: { number: 2, cached: true } })
    const stored = await details(ada, after.run!.id)
    expect(stored).toMatchObject({ cached: true, stored_from: { id: run.id, number: 1 }, tokens_in: 0, cost_usd: 0 })
    expect(stored.values).toEqual(made.values)
    expect(await analyze(id, { again: true })).toMatchObject({ result: { cached: false } })
    expect(chatCalls()).toBeGreaterThan(calls)
    expect((await read(id)).run).toMatchObject({ number: 3, cached: false })
    // An undo restores the run, too.
    await ada.json(api.documentUndoAnalysis(id), { body: { analyzed_at: (await read(id)).analyzed_at } })
    expect((await read(id)).run).toMatchObject({ number: 2 })

    // Another text, and a failure of the provider.
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${words} The end.` } })
    provider.always('chat', { kind: 'status', status: 401 })
    expect(await analyze(id)).toMatchObject({ status: 'failed' })
    provider.reset()
    const { data, count } = await listed(ada)
    expect(count).toBe(4)
    expect(data.map((row) => [row.number, row.status, row.cached])).toEqual([
      [4, 'failed', false],
      [3, 'completed', false],
      [2, 'completed', true],
      [1, 'completed', false],
    ])
    expect(data[0]!.error).toContain('refused the key')
    // A paper without a project has no runs.
    const unassigned = await paperIn(null)
    expect(await analyze(unassigned)).toMatchObject({ status: 'completed' })
    expect((await read(unassigned)).run).toBeNull()
  })

  it('Members read, filter, compare and export runs; the built-in model has byte-equal values (FND-33, FND-34, FND-35)', async () => {
    const id = await paperIn(project)
    const short = await newPrompt('Short', 'Write a short summary.', BUILT_IN_MODEL.id)
    await analyze(id, { prompt_id: short })
    const one = (await read(id)).run!.id
    // Another prompt text: the built-in model runs again and returns the same.
    const long = await newPrompt('Long', 'Write a long summary.', BUILT_IN_MODEL.id)
    await analyze(id, { prompt_id: long })
    const same = (await read(id)).run!.id
    const [first, second] = [await details(ada, one), await details(ada, same)]
    expect([first.cached, second.cached]).toEqual([false, false])
    expect(JSON.stringify(second.values)).toBe(JSON.stringify(first.values))
    const equal = await compare(one, same)
    expect(equal.counts).toEqual({ changed: 0, only_one: 0, equal: first.values.length, other_quotes: 0 })
    expect(equal.differing).toEqual(['prompt'])
    expect(equal.prompts!.one.filter(({ differs }) => differs).map(({ text }) => text)).toEqual(['short'])

    provider.next('chat', {
      kind: 'ok',
      content: JSON.stringify({
        title: {
          text: first.values.find(({ label }) => label === 'Title')!.text,
          quote: 'Evening group walking improved the sleep',
        },
        summary: [{ text: '=1+1 is no formula.', quote: null }],
        insights: [],
      }),
    })
    await analyze(id)
    const other = (await read(id)).run!.id
    const changed = await compare(one, other)
    expect(changed.differing).toEqual(['model', 'model_settings', 'prompt'])
    expect(changed.rows.find(({ label }) => label === 'Summary')).toMatchObject({ state: 'changed' })
    // The same title with another quote.
    const title = changed.rows.find(({ label }) => label === 'Title')
    expect(title).toMatchObject({ state: 'equal', has_other_quotes: true })
    expect(joinParts(title!.other!.evidence[0]!.quote)).toBe('Evening group walking improved the sleep')
    expect(changed.counts).toMatchObject({ equal: 1, other_quotes: 1 })
    expect(changed.rows.find(({ label }) => label === 'Insight')).toMatchObject({ state: 'only one', other: null })
    expect(changed.counts.changed + changed.counts.only_one + changed.counts.equal).toBe(changed.rows.length)

    const csv = await (await ben.fetch(api.runExport(other, 'csv'))).text()
    expect(csv).toContain("'=1+1 is no formula.")
    const file = await ben.fetch(api.runComparisonExport(one, other, 'csv'))
    expect(file.headers.get('content-disposition')).toMatch(/filename="runs-\d+-and-\d+\.csv"/)
    const lines = (await file.text()).split('\r\n')
    expect(lines[0]).toMatch(/state,value,paper,run \d+,quotes of run \d+/)
    expect(lines.filter((line) => line.startsWith('equal with other quotes,Title,'))).toHaveLength(1)
    const json = (await (await ben.fetch(api.runExport(one, 'json'))).json()) as RunDetails
    expect(json.values).toEqual(first.values)
    const all = (await (await ben.fetch(api.runsExport(project, { format: 'json' }))).json()) as Run[]
    expect(all.map(({ number }) => number)).toEqual((await listed(ben)).data.map(({ number }) => number))
    const chosen = await ben.fetch(api.runsExport(project, { id: [one, other], format: 'json' }))
    expect(((await chosen.json()) as Run[]).map(({ id: runId }) => runId)).toEqual([other, one])
    const single = await ben.fetch(api.runsExport(project, { id: [same], format: 'json' }))
    expect(((await single.json()) as Run[]).map(({ id: runId }) => runId)).toEqual([same])
    const answers = await ben.fetch(api.runsExport(project, { kind: 'library_answer', format: 'csv' }))
    expect(answers.headers.get('content-disposition')).toBe('attachment; filename="runs.csv"')
    expect((await answers.text()).trim().split('\r\n')).toHaveLength(1)

    // A viewer reads; a user of no project, a key of another project and a removed member do not.
    expect((await listed(ben)).people.map((person) => person.id)).toEqual([ada.userId])
    expect((await listed(ben, { kind: 'library_answer' })).count).toBe(0)
    expect((await listed(ben, { person: ben.userId })).data).toEqual([])
    expect((await listed(ada, { limit: 1, page: 2 })).data).toHaveLength(1)
    const mine = (await eve.json<{ data: Project }>(api.projects(), { body: { name: 'Own' } })).data.id
    for (const path of [
      api.runs(project),
      api.runsExport(project, { format: 'csv' }),
      api.run(one),
      api.runComparison(one, other),
      api.runExport(one, 'csv'),
    ])
      expect([path, (await eve.fetch(path)).status]).toEqual([path, 404])
    expect((await eve.json<RunList>(api.runs(mine))).count).toBe(0)
    expect((await ben.fetch(api.documentAnalyze(id), { method: 'POST', body: '{}', headers: JSON_BODY })).status).toBe(
      403,
    )
    const key = await newKey(ada, { scopes: ['read', 'ask', 'write'], project_ids: [project] })
    const byKey = { authorization: `Bearer ${key}`, ...JSON_BODY }
    const started = await fetch(`${server.url}${api.documentAnalyze(id)}`, {
      method: 'POST',
      headers: byKey,
      body: JSON.stringify({ prompt_id: short }),
    })
    await ada.job(((await started.json()) as { data: Job }).data.id)
    expect((await listed(ben)).data[0]).toMatchObject({ via: 'api', key_name: 'Assistant', cached: true })
    await ada.json(api.projectMember(project, ben.userId), { method: 'DELETE' })
    expect((await ben.fetch(api.run(one))).status).toBe(404)
  })

  it('The database refuses changes of a run that has ended; the server fails runs of a server that stopped', async () => {
    const id = await paperIn(project, `[Page 1]\n${words} More.`)
    await analyze(id)
    const run = (await read(id)).run!.id
    const refused = (statement: string) => expect(inDatabase(server, statement, [run])).rejects.toThrow(/Runs|run/)
    await refused(`update runs set cost_usd = 1 where id = $1`)
    await refused(`update runs set status = 'running', ended_at = null where id = $1`)
    await refused(`update runs set created_by = '${eve.userId}' where id = $1`)
    await refused(`delete from runs where id = $1`)
    await expect(inDatabase(server, 'truncate runs cascade')).rejects.toThrow('Runs are deleted')
    const running = `insert into runs (project_id, number, created_by, via, kind, title, model, model_settings, prompt_text,
        prompt_text_hash, code_version, input, input_hash, is_private, alive_at)
      values ($1, $2, $3, 'web', 'library_answer', 'Why?', 'm', '{}', '', '', '', '{"documents": []}', '', true, now() - interval '1 hour')
      returning id`
    const [row] = await inDatabase(server, running, [project, 900, eve.userId])
    // A private run of another user.
    expect((await ada.fetch(api.run(row!['id'] as string))).status).toBe(404)
    await expect(ada.json(api.runComparison(run, row!['id'] as string))).rejects.toThrow('404')
    const [own] = await inDatabase(server, running, [project, 901, ada.userId])
    await expect(ada.json(api.runComparison(run, own!['id'] as string))).rejects.toThrow(DIFFERENT_KINDS)
    await server.restart()
    expect(await details(ada, own!['id'] as string)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('stopped'),
    })

    // The paper and the account can be deleted for good; the run stays, without the account.
    await ada.json(api.document(id), { method: 'DELETE' })
    await ada.json(api.trashDocument(id), { method: 'DELETE' })
    expect((await details(ada, run)).read_papers).toEqual([{ id, text_version: expect.any(Number), title: null }])
    await eve.json(api.account(), { method: 'DELETE', body: { password: eve.password } })
    const [left] = await inDatabase(server, 'select created_by from runs where number = 900 and project_id = $1', [
      project,
    ])
    expect(left).toEqual({ created_by: null })
    await ada.json(api.projectDocuments(project), { method: 'DELETE' })
    await ada.json(api.project(project), { method: 'DELETE' })
    await ada.json(api.trashProject(project), { method: 'DELETE' })
    expect(await inDatabase(server, 'select id from runs where project_id = $1', [project])).toEqual([])
  })
})

const JSON_BODY = { 'content-type': 'application/json' }
