import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Conversation } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import type { RunComparison, RunDetails, RunList } from '#shared/contract/runs.ts'
import { type Asking, begin, join } from '#tests/helpers/asking.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { connectMcp, newKey } from '#tests/helpers/mcp-client.ts'
import { promptOf, startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, startServer, type TestServer } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests the runs that the MCP server records for answers about one paper. */

const NAPS = 'Short naps of 20 minutes improved recall of word pairs in nurses.'
const QUESTION = 'Do short naps improve recall of word pairs?'

const details = async (client: Client, id: unknown) =>
  (await client.json<{ data: RunDetails }>(api.run(String(id)))).data
const statusFor = async (client: Client, id: unknown) => (await client.fetch(api.run(String(id)))).status
const listed = ({ ada, project }: Asking) => ada.json<RunList>(api.runs(project))
const chatsOf = async (client: Client, paper: string) =>
  (await client.json<{ data: Conversation[] }>(api.documentConversations(paper))).data
const show = (client: Client, conversation: string, visibility: 'me' | 'project') =>
  client.json(api.conversation(conversation), { method: 'PATCH', body: { visibility } })

async function newPaper(asking: Asking, text = NAPS): Promise<string> {
  const id = await asking.insert({ title: 'Naps of nurses', text })
  await asking.vectorize([id])
  return id
}

describe('with the built-in model', () => {
  const server = sharedServer()
  let asking: Asking
  let paper: string
  let close: () => Promise<void>
  let call: Awaited<ReturnType<typeof connectMcp>>['call']
  beforeAll(async () => {
    asking = await begin(server)
    paper = await newPaper(asking)
    const connected = await connectMcp(server.url, await newKey(asking.ada))
    call = connected.call
    close = () => connected.client.close()
  })
  afterAll(() => close())

  const ask = async (question: string, document_id = paper) =>
    (await call('ask_paper', { document_id, question })).data['run_id']

  it('An answer about a paper and an answer over the project never use the stored output of each other (MCP-16)', async () => {
    const own = await details(asking.ada, await ask(QUESTION))
    expect(own).toMatchObject({ kind: 'library_answer', via: 'mcp', model: 'built-in', prompt_text: '', cached: false })
    expect(own.values[0]).toMatchObject({ text: expect.stringContaining(NAPS), evidence: [{ document_id: paper }] })
    const over = async () => {
      const given = { project_id: asking.project, question: QUESTION, document_ids: [paper] }
      return details(asking.ada, (await call('ask_project', given)).data['run_id'])
    }
    const first = await over()
    expect(first).toMatchObject({ kind: own.kind, model: own.model, prompt_text: '', cached: false })
    expect(await over()).toMatchObject({ cached: true, stored_from: { id: first.id } })
    expect(await details(asking.ada, await ask(QUESTION))).toMatchObject({ cached: false, values: own.values })
  })

  it('A refusal is a completed run, which is compared and exported as other answers are (MCP-16, FND-33, FND-34)', async () => {
    const answered = await ask(QUESTION)
    const refused = await ask('Does coffee raise the blood pressure of pilots in Norway?')
    const { data } = await asking.ada.json<{ data: RunComparison }>(
      api.runComparison(String(answered), String(refused)),
    )
    expect(data.one).toMatchObject({ status: 'completed', papers: 1 })
    expect(data.other).toMatchObject({ status: 'completed', papers: 1, read_papers: [{ id: paper }] })
    expect(data.differing).toEqual(['question'])
    expect(data.rows.at(-1)).toMatchObject({ state: 'only other', other: { evidence: [] } })
    const lines = (await (await asking.ada.fetch(api.runExport(String(answered), 'csv'))).text()).split('\r\n')
    expect(lines[1]).toMatch(/^\d+,Answer,built-in,.*,Sentence 1,Naps of nurses,/)
  })

  it('The run of a paper that moved to another project stays private when its conversation is shared there', async () => {
    const viewer = await join(server, asking.project, 'viewer')
    const moved = await newPaper(asking)
    const run = await ask(QUESTION, moved)
    const other = (await asking.ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Other' } })).data
    await asking.ada.json(api.document(moved), { method: 'PATCH', body: { project_id: other.id } })
    const [chat] = await chatsOf(asking.ada, moved)
    await show(asking.ada, chat!.id, 'project')
    expect([await statusFor(asking.ada, run), await statusFor(viewer, run)]).toEqual([200, 404])
  })

  it('A paper without a project is answered without a run', async () => {
    const unassigned = await newPaper(asking)
    await asking.ada.json(api.document(unassigned), { method: 'PATCH', body: { project_id: null } })
    const { count } = await listed(asking)
    const { data } = await call('ask_paper', { document_id: unassigned, question: QUESTION })
    expect(data).toMatchObject({ sentences: [{ supported: true }], run_id: null })
    expect((await listed(asking)).count).toBe(count)
  })
})

describe('with a provider', () => {
  let provider: OpenAiServer
  let server: TestServer
  let asking: Asking
  let paper: string
  let key: string
  beforeAll(async () => {
    provider = await startOpenAiServer()
    server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  })
  beforeEach(async () => {
    provider.reset()
    asking = await begin(server)
    paper = await newPaper(asking)
    key = await newKey(asking.ada)
  })
  afterAll(async () => {
    await server?.stop()
    await provider?.stop()
  })

  async function ask() {
    const { client, call } = await connectMcp(server.url, key)
    try {
      return await call('ask_paper', { document_id: paper, question: QUESTION })
    } finally {
      await client.close()
    }
  }

  /** Sends a question to which the provider does not reply, and waits until its run has started. */
  async function askWithoutReply() {
    provider.next('chat', { kind: 'hang' })
    const abort = new AbortController()
    const body = { name: 'ask_paper', arguments: { document_id: paper, question: QUESTION } }
    const answer = fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: body }),
      signal: abort.signal,
    }).catch(() => undefined)
    await expect.poll(() => listed(asking), { timeout: 60_000 }).toMatchObject({ data: [{ status: 'running' }] })
    const asked = () => provider.requests.filter(({ path }) => path.endsWith('/chat/completions'))
    await expect.poll(asked, { timeout: 60_000 }).toHaveLength(1)
    return { answer, abort: () => abort.abort() }
  }

  it('An answer about a paper is a run with its key, its costs, its prompt and the quotes that were found (MCP-16)', async () => {
    provider.next('chat', { kind: 'ok', content: `${NAPS.slice(0, -1)} [p. 1]. All of them drank green tea [p. 1].` })
    const { data } = await ask()
    expect(data).toMatchObject({ sentences: [{ supported: true }, { supported: false }], run_id: expect.any(String) })
    const run = await details(asking.ada, data['run_id'])
    expect(run).toMatchObject({
      number: 1,
      kind: 'library_answer',
      title: QUESTION,
      via: 'mcp',
      key_name: 'Assistant',
      created_by: { id: asking.ada.userId },
      is_private: true,
      model: 'test-chat',
      model_settings: { provider: new URL(provider.url).host, temperature: 0 },
      status: 'completed',
      papers: 1,
      cached: false,
      error: null,
      input: {
        documents: [{ id: paper, text_version: 1 }],
        question: QUESTION,
        options: { scope: { kind: 'papers', document_ids: [paper] }, earlier_questions: 0 },
      },
    })
    const sent = provider.requests.map(({ body }) => promptOf(body)).join('\n')
    const [mark] = /text-[0-9a-f]{12}/.exec(sent)!
    expect(sent.replaceAll(mark, 'text')).toContain(run.prompt_text)
    expect(run.prompt_text).toMatch(/^You answer questions about one research paper\. The paper is /)
    expect([run.tokens_in > 0, run.tokens_out > 0, run.cost_usd > 0]).toEqual([true, true, true])
    expect(run.values).toMatchObject([
      { key: 'sentence', label: 'Sentence 1', text: expect.stringContaining('Short naps'), evidence: [{ page: 1 }] },
      { key: 'sentence', label: 'Sentence 2', text: expect.stringContaining('green tea'), evidence: [] },
    ])
    // The chat of the web app records no run.
    await asking.ada.json(api.documentChat(paper), { body: { question: QUESTION } })
    expect((await listed(asking)).count).toBe(1)
  })

  it('The run of an answer about a paper is shown, hidden and retained as its conversation is (MCP-16, LIB-15)', async () => {
    const editor = await join(server, asking.project, 'editor')
    const viewer = await join(server, asking.project, 'viewer')
    key = await newKey(editor)
    const { data } = await ask()
    const statuses = () => Promise.all([editor, asking.ada, viewer].map((client) => statusFor(client, data['run_id'])))
    expect(await statuses()).toEqual([200, 404, 404])
    const chats = await chatsOf(editor, paper)
    expect(chats).toHaveLength(1)
    const { id } = chats[0]!
    expect((await asking.read(id, editor)).messages).toMatchObject([{ run_id: data['run_id'], run_number: 1 }])
    await show(editor, id, 'project')
    expect(await statuses()).toEqual([200, 200, 200])
    await show(editor, id, 'me')
    expect(await statuses()).toEqual([200, 404, 404])
    await show(editor, id, 'project')
    await asking.ada.json(api.conversation(id), { method: 'DELETE' })
    expect(await statuses()).toEqual([200, 404, 404])
  })

  it('A failure of the provider and a used budget are failed runs with the reason (MCP-16)', async () => {
    provider.next('chat', { kind: 'ok' }, { kind: 'status', status: 401 })
    expect((await ask()).isError).toBe(false)
    const refused = await ask()
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('refused the key') })
    const roles = { reviewer: null, editor: null, resolver: null, owner: null }
    const body = { dollars: 0.000001, roles }
    await asking.ada.json(api.projectBudget(asking.project), { method: 'PUT', body })
    const over = await ask()
    expect(over).toMatchObject({
      isError: true,
      text: expect.stringContaining('The monthly AI budget of this project is used up.'),
    })
    expect((await listed(asking)).data).toMatchObject([
      { status: 'failed', via: 'mcp', is_private: true, error: over.text },
      { status: 'failed', via: 'mcp', is_private: true, error: refused.text },
      { status: 'completed' },
    ])
    expect(await chatsOf(asking.ada, paper)).toHaveLength(1)
  })

  it('A request that the client ends stops its run, and a run without its server fails (MCP-14, MCP-16)', async () => {
    const { answer, abort } = await askWithoutReply()
    abort()
    await answer
    await expect
      .poll(() => listed(asking), { timeout: 60_000 })
      .toMatchObject({ data: [{ status: 'stopped', error: null }] })
    provider.reset()
    asking = await begin(server)
    paper = await newPaper(asking)
    key = await newKey(asking.ada)
    await askWithoutReply()
    await server.kill('SIGKILL')
    if (server.databaseUrl)
      await inDatabase(server, `update runs set alive_at = now() - interval '1 hour' where status = 'running'`)
    await server.restart()
    const { data } = await listed(asking)
    expect(data).toMatchObject([{ status: 'failed', error: expect.stringContaining('server stopped') }])
    expect(await chatsOf(asking.ada, paper)).toEqual([])
  })
})
