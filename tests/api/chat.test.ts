import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import { NO_PASSAGES_ANSWER, type ChatAnswer } from '#shared/contract/chat.ts'
import type { ConversationWithMessages } from '#shared/contract/conversations.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api, functionPath } from '#shared/contract/paths.ts'

const FALL = 'Four walkers had a minor fall during a walk; none needed treatment beyond a plaster.'
const TEXT = `[Page 1]
Evening walks and sleep
Abstract
We aimed to find out whether walking in the evening helps older adults to sleep. Sleep efficiency improved by five percentage points in the walking group. Nothing else changed in either of the groups.

[Page 2]
3.4 Safety
${FALL} The weather was mild in all twelve weeks of the trial.

[Page 3]
6 Limitations
All centres were in one district with safe pavements and street lighting.
References
[1] B. Adams and D. Cole. 2019. Minor falls of walkers during a walk. J. Motion 12, 3 (2019), 44–59. [2] F. Egan. 2003. Rest in bed. Nursing 4 (2003), 1–9.`

/** Signs up a user with a project. */
async function person(server: Pick<TestServer, 'url'>) {
  const client = await signUp(server.url)
  const { id } = (await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Chat' } })).data
  return { client, project: id }
}

async function newDocument({ client, project }: { client: Client; project: string }, vectors = true): Promise<string> {
  const pdf = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const { id } = await client.upload(project, new File([pdf], 'paper.pdf', { type: 'application/pdf' }))
  await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: TEXT } })
  if (!vectors) return id
  const { data } = await client.json<{ data: { id: string } }>(api.documentVectorize(id), { body: {} })
  expect((await client.job(data.id)).status).toBe('completed')
  return id
}

const ask = async (client: Client, id: string, question: string) =>
  (await client.json<{ data: ChatAnswer }>(api.documentChat(id), { body: { question } })).data

const post = (client: Client, path: string, body: unknown, accept = 'application/json', signal?: AbortSignal) =>
  client.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })

/** Parses the server-sent events of a response. Comments in the stream are ignored. */
async function events(response: Response): Promise<{ event: string; data: Record<string, unknown> }[]> {
  return (await response.text())
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)![1]!,
      data: JSON.parse([...block.matchAll(/^data: (.*)$/gm)].map((line) => line[1]).join('\n')) as Record<
        string,
        unknown
      >,
    }))
}

const placeOf = ({ page, start, end }: { page: number | null; start: number | null; end: number | null }) =>
  page === null ? null : splitPages(TEXT)[page - 1]!.text.slice(start!, end!)

describe('with the built-in models', () => {
  const server = sharedServer()
  let ada: Awaited<ReturnType<typeof person>>
  let id: string
  beforeAll(async () => {
    ada = await person(server)
    id = await newDocument(ada)
  })

  it('The chat quotes the sentence that answers and links it to its place (CHAT-08, CHAT-15, CHAT-16)', async () => {
    const answer = await ask(ada.client, id, 'How many walkers had a minor fall during a walk?')
    expect(answer.answer).toContain(`“${FALL}” [p. 2]`)
    expect(answer.model).toBe('Built-in (offline, extractive)')
    const statement = answer.statements.find(({ text }) => text === `“${FALL}”`)!
    expect(statement.passages.map((passage) => [passage.match, placeOf(passage)])).toEqual([['exact', FALL]])
    expect(answer.sources.length).toBeLessThanOrEqual(3)
    const [source] = answer.sources
    expect(source!.page_number).toBe(2)
    expect(splitPages(TEXT)[1]!.text.slice(source!.start, source!.end)).toBe(FALL)
    expect(source!.similarity).toBeGreaterThan(0.3)
    for (const { content } of answer.sources) expect(content).not.toContain('Adams')
  })

  it('The chat lists the most similar sources first', async () => {
    const orders = []
    for (const question of [
      'How many walkers had a minor fall during a walk?',
      'What did the study find?',
      'Who walked, and how was sleep measured?',
    ]) {
      const { sources } = await ask(ada.client, id, question)
      const similarities = sources.map(({ similarity }) => similarity)
      expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
      orders.push(similarities.length)
    }
    expect(Math.max(...orders)).toBeGreaterThan(1)
  })

  it('The chat answers a general question from the section about it', async () => {
    expect((await ask(ada.client, id, 'What did the study find?')).answer).toContain(
      '“Sleep efficiency improved by five percentage points in the walking group.” [p. 1]',
    )
    expect((await ask(ada.client, id, 'What are the limitations?')).answer).toContain(
      'All centres were in one district',
    )
  })

  it('The chat streams the same answer: sources, parts, and the complete answer (CHAT-17)', async () => {
    const response = await post(
      ada.client,
      api.documentChat(id),
      { question: 'How many people were injured by falling?' },
      'text/event-stream',
    )
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const got = await events(response)
    expect(got[0]!.event).toBe('sources')
    expect(got.at(-1)!.event).toBe('done')
    const deltas = got.slice(1, -1)
    expect(deltas.length).toBeGreaterThan(0)
    expect(deltas.every(({ event }) => event === 'delta')).toBe(true)
    const done = got.at(-1)!.data as unknown as ChatAnswer
    expect(deltas.map(({ data }) => data['text']).join('')).toBe(done.answer)
    expect(done.sources).toEqual(got[0]!.data['sources'])
    const { conversation_id: _, ...same } = await ask(ada.client, id, 'How many people were injured by falling?')
    expect(done).toMatchObject(same)
  })

  it('The chat reports when the paper has nothing on the question (MSG-105)', async () => {
    const answer = await ask(ada.client, id, 'Who won the 1998 World Cup?')
    expect(answer).toMatchObject({
      answer: NO_PASSAGES_ANSWER,
      sources: [],
      statements: [{ passages: [] }, { passages: [] }],
    })
  })

  it('A question about something that the paper never mentions gets the nearest passages and no quote', async () => {
    const answer = await ask(ada.client, id, 'Which GPU measured the sleep of the walkers?')
    expect(answer.answer).toBe('I could not find an answer to this in the paper: it never mentions GPU.')
    expect(answer.sources.length).toBeGreaterThan(0)
    expect(answer.statements).toEqual([{ text: answer.answer, passages: [], unsupported_numbers: [] }])
    const several = await ask(ada.client, id, 'Did the walkers use Python or Julia in the evening?')
    expect(several.answer).toBe('I could not find an answer to this in the paper: it never mentions Python or Julia.')
  })

  it.each([
    ['an empty question', '  ', 422, 'Query cannot be empty'],
    ['no question', undefined, 422, null],
  ])('The chat refuses %s (CHAT-07, FUNC-21)', async (_what, question, status, message) => {
    const response = await post(ada.client, api.documentChat(id), { question })
    expect(response.status).toBe(status)
    if (message) expect(await response.text()).toContain(message)
  })

  it.each(['application/json', 'text/event-stream'])(
    'The chat refuses a document that is not vectorized (%s)',
    async (accept) => {
      const bare = await newDocument(ada, false)
      const response = await post(
        ada.client,
        api.documentChat(bare),
        { question: 'How many people were injured by falling?' },
        accept,
      )
      expect(response.status).toBe(422)
      expect(await response.text()).toContain('has not been vectorized yet')
    },
  )

  it('The chat does not find a document of another user', async () => {
    const bob = await person(server)
    for (const accept of ['application/json', 'text/event-stream'])
      expect(
        (await post(bob.client, api.documentChat(id), { question: 'How many people were injured by falling?' }, accept))
          .status,
      ).toBe(404)
    const anonymous = await fetch(server.url + api.documentChat(id), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Why?' }),
    })
    expect(anonymous.status).toBe(401)
  })

  it('The call generate-answer answers from the chunks in the request', async () => {
    const chunks = [{ content: `${FALL} The weather was mild.`, page_number: 7, similarity: 0.5 }]
    const body = { query: 'How many walkers had a minor fall?', chunks }
    const answer = await ada.client.json<{ answer: string; sources: object[] }>(functionPath('generate-answer'), {
      body,
    })
    expect(answer).toEqual({ answer: `“${FALL}” [p. 7]`, sources: chunks })
    const none = await post(ada.client, functionPath('generate-answer'), { query: 'Why?', chunks: [] })
    expect([none.status, await none.json()]).toEqual([422, { error: 'No chunks provided for answer generation' }])
  })
})

describe('with a provider', () => {
  let provider: OpenAiServer
  let server: TestServer
  let ada: Awaited<ReturnType<typeof person>>
  let id: string
  beforeAll(async () => {
    provider = await startOpenAiServer()
    server = await startServer({ env: { AI_BASE_URL: provider.url, AI_API_KEY: 'key', AI_CHAT_MODEL: 'test-chat' } })
    ada = await person(server)
    id = await newDocument(ada)
  })
  afterAll(async () => {
    await server.stop()
    await provider.stop()
  })

  it('The model gets the paper without its references, and its citations are read', async () => {
    provider.reset()
    provider.next('chat', {
      kind: 'ok',
      content: `Only a few were hurt: four walkers had a minor fall during a walk [p. 2]. Sleep efficiency improved by five percentage points in the walking group [p. 3]. Walking cures everything [p. 1].`,
    })
    const before = provider.requests.length
    const answer = await ask(ada.client, id, 'How many people were injured by falling?')
    const sent = JSON.stringify(
      provider.requests.slice(before).find(({ path }) => path.includes('chat'))!.body.messages,
    )
    expect(sent).toContain('Sleep efficiency improved')
    expect(sent).not.toContain('Adams')
    expect(answer.model).toBe('test-chat')
    expect(answer.statements.map(({ text }) => text)).toEqual([
      'Only a few were hurt: four walkers had a minor fall during a walk.',
      'Sleep efficiency improved by five percentage points in the walking group.',
      'Walking cures everything.',
    ])
    const places = answer.statements.map(({ passages }) => passages.map((passage) => [passage.match, placeOf(passage)]))
    expect(places[0]).toEqual([['approximate', 'Four walkers had a minor fall during a walk']])
    // The quote is on page 1 and not on the cited page. The answer reports both.
    expect(places[1]).toEqual([
      ['exact', 'Sleep efficiency improved by five percentage points in the walking group.'],
      ['none', null],
    ])
    expect(places[2]).toEqual([['none', null]])
  })

  it('The quotes of an answer are found in the new text of a paper, also if the text changes during the answer', async () => {
    provider.reset()
    const changed = await newDocument(ada)
    const { promise: stored, resolve: answer } = Promise.withResolvers<void>()
    provider.next('chat', { kind: 'ok', content: `${FALL.slice(0, -1)} [p. 2].`, after: stored })
    const asked = ask(ada.client, changed, 'How many walkers had a minor fall?')
    await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBeGreaterThan(0)
    const extracted_text = TEXT.replace(FALL, `Nothing serious happened. ${FALL}`)
    await ada.client.json(api.documentText(changed), { method: 'PUT', body: { extracted_text } })
    answer()
    const { data } = await ada.client.json<{ data: ConversationWithMessages }>(
      api.conversation((await asked).conversation_id),
    )
    const [passage] = data.messages[0]!.chat!.statements.flatMap(({ passages }) => passages)
    const { page, start, end } = passage!
    expect(FALL).toContain(splitPages(extracted_text)[page! - 1]!.text.slice(start!, end!))
  })

  it('A stream that breaks off ends with an error message', async () => {
    provider.reset()
    provider.always('chat', { kind: 'break-off', content: 'Four walkers' })
    const got = await events(
      await post(
        ada.client,
        api.documentChat(id),
        { question: 'How many people were injured by falling?' },
        'text/event-stream',
      ),
    )
    expect(got.map(({ event }) => event).slice(0, 1)).toEqual(['sources'])
    expect(got.at(-1)!.event).toBe('error')
    expect(got.at(-1)!.data['message']).toMatch(/\w/)
    provider.reset()
  })

  it('An error is answered as JSON when no stream was requested', async () => {
    provider.reset()
    provider.always('chat', { kind: 'status', status: 401, message: 'bad key' })
    const response = await post(ada.client, api.documentChat(id), {
      question: 'How many people were injured by falling?',
    })
    expect(response.status).toBe(502)
    provider.reset()
  })

  it('The model gets a hint about words that the paper never mentions, and a number without a source is named', async () => {
    provider.reset()
    provider.next('chat', { kind: 'ok', content: 'Seven or 17 walkers had a minor fall during a walk [p. 2].' })
    const before = provider.requests.length
    const answer = await ask(ada.client, id, 'Which GPU measured the fall of the walkers?')
    const chat = provider.requests.slice(before).find(({ path }) => path.includes('chat'))!
    expect(JSON.stringify(chat.body.messages)).toContain('The paper never mentions GPU.')
    expect(answer.answer).toContain('17 walkers')
    expect(answer.statements.map((statement) => statement.unsupported_numbers)).toEqual([['17']])
  })

  it('The reply of the model is cancelled when the client disconnects', async () => {
    provider.reset()
    provider.always('chat', { kind: 'hang', content: 'Four ' })
    const disconnect = new AbortController()
    const response = await post(
      ada.client,
      api.documentChat(id),
      { question: 'How many people were injured by falling?' },
      'text/event-stream',
      disconnect.signal,
    )
    const reader = response.body!.getReader()
    await reader.read()
    disconnect.abort()
    await expect(reader.read().then(() => reader.read())).rejects.toThrow()
    provider.reset()
    expect((await ask(ada.client, id, 'How many people were injured by falling?')).answer).not.toBe('')
  })

  it('After a change of the embedding model, the chat searches by words only until the document has new vectors (API-43)', async () => {
    provider.reset()
    await writeFile(join(server.dataDir, '.env'), 'AI_EMBEDDING_MODEL=text-embedding-test\n')
    await server.restart()
    const stale = await ada.client.json<{ data: DocumentDetail }>(api.document(id))
    expect(stale.data).toMatchObject({ embedding_model: 'built-in/all-MiniLM-L6-v2', embedding_stale: true })
    const byWords = await ask(ada.client, id, 'How many walkers had a minor fall during a walk?')
    expect(byWords.words_only).toBe(true)
    expect(byWords.sources[0]).toMatchObject({ page_number: 2, similarity: expect.closeTo(1) })

    const { data } = await ada.client.json<{ data: { id: string } }>(api.documentVectorize(id), {
      body: { force: true },
    })
    expect((await ada.client.job(data.id)).status).toBe('completed')
    expect(
      (await ask(ada.client, id, 'How many walkers had a minor fall during a walk?')).sources[0]!.page_number,
    ).toBe(2)
  })

  it('The chat reports that the question could not be embedded (MSG-100)', async () => {
    provider.reset()
    provider.always('embeddings', { kind: 'status', status: 401, message: 'bad key' })
    const response = await post(ada.client, api.documentChat(id), {
      question: 'How many people were injured by falling?',
    })
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(await response.text()).toContain('Failed to generate query embedding')
    provider.reset()
  })

  it('The chat reports that there is no embedding for the question (MSG-101)', async () => {
    provider.always('embeddings', { kind: 'empty' })
    const response = await post(ada.client, api.documentChat(id), { question: 'Who fell?' })
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('No embedding generated for query')
    provider.reset()
  })
})
