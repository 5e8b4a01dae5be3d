import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { ANSWER_INTERRUPTED, type ConversationMessage } from '#shared/contract/conversations.ts'
import type { JoinResult } from '#shared/contract/duplicates.ts'
import { api } from '#shared/contract/paths.ts'
import { type Asking, begin, join } from '#tests/helpers/asking.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { withTransaction } from '#tests/helpers/open-transaction.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * This file tests changes while an answer is generated: joins (merges of duplicate papers), deletions, changes of rights and an
 * unreachable database. It also tests joins of papers after an answer.
 */

const SHORT = 'Short naps of 20 minutes improved recall of word pairs in nurses.'
const LONG = 'Long naps did not improve recall of word pairs in students.'
const YES = '{"id": 1, "verdict": "supported"}'
const question = 'Do naps improve recall of word pairs?'

let provider: OpenAiServer
let server: TestServer
let asking: Asking
beforeAll(async () => {
  provider = await startOpenAiServer({ key: 'key' })
  server = await startServer({
    env: {
      AI_BASE_URL: provider.url,
      AI_API_KEY: 'key',
      AI_CHAT_MODEL: 'test-chat',
      AI_EMBEDDING_MODEL: 'text-embedding-test',
    },
  })
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})
beforeEach(async () => {
  provider.reset()
  asking = await begin(server)
})

/** Inserts one paper for each sentence; the sentence is the text of the paper. Returns the document ids. */
async function insert(...sentences: string[]): Promise<string[]> {
  const ids = []
  for (const [at, text] of sentences.entries()) ids.push(await asking.insert({ title: `Naps ${at + 1}`, text }))
  await asking.vectorize(ids)
  provider.reset()
  return ids
}
const says = (...sentences: string[]) =>
  sentences.map((words) => JSON.stringify({ text: words, quotes: [{ passage: 'P1', words }] })).join('\n')
const waitFor = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 60_000 })
/** Waits until the answer that is generated in a conversation has this number of verified sentences, and returns the answer. */
const begun = (conversation: string, sentences: number) =>
  waitFor(async () => {
    const message = (await asking.read(conversation)).messages.at(-1)!
    expect(message.status).toBe('answering')
    expect(message.answer?.sentences ?? []).toHaveLength(sentences)
    expect(message.run_id).not.toBe(null)
    return message
  })
const papersOf = ({ answer, sources }: ConversationMessage) => ({
  quoted: answer!.sentences.map(({ evidence }) => evidence.map(({ document_id }) => document_id)),
  cited: sources.map(({ number, document_id }) => [number, document_id]),
  unsupported: answer!.unsupported,
})

it('An answer that another server has ended reports the error of its message', async () => {
  await insert(SHORT)
  const draft = Promise.withResolvers<void>()
  provider.next('chat', { kind: 'ok', content: says(SHORT), after: draft.promise }, { kind: 'ok', content: YES })
  const id = await asking.start()
  const asked = asking.refusal(id, { question })
  await begun(id, 0)
  // Another server does this if the server of the answer has been silent for JOB_SILENCE_SECONDS.
  const end = `update messages set status = 'stopped', error = $2 where conversation_id = $1`
  await inDatabase(server, end, [id, ANSWER_INTERRUPTED])
  draft.resolve()
  expect(await asked).toEqual([503, ANSWER_INTERRUPTED])
})

it('A join during an answer moves the sentences before and after it to the paper that stays (FMT-45, LIB-12)', async () => {
  const [short, long, kept, other] = (await insert(SHORT, LONG, `A preface. ${SHORT}`, `A preface. ${LONG}`)) as [
    string,
    string,
    string,
    string,
  ]
  const scope = { kind: 'papers', document_ids: [short, long] }
  const verdict = Promise.withResolvers<void>()
  provider.next('chat', { kind: 'ok', content: says(SHORT, LONG) }, { kind: 'ok', content: YES })
  provider.next('chat', { kind: 'ok', content: YES, after: verdict.promise })
  const id = await asking.start()
  const asked = asking.ask(id, question, { scope })
  expect(papersOf(await begun(id, 1)).cited).toEqual([[1, short]])
  const joinInto = async (keep_id: string, joined: string) => {
    const body = { keep_id, join_ids: [joined], fields: {} }
    return (await asking.ada.json<{ data: JoinResult }>(api.duplicatesJoin(), { body })).data.joined[0]!.id
  }
  const join = await joinInto(kept, short)
  await joinInto(other, long)
  verdict.resolve()
  const message = await asked
  expect(message.status).toBe('done')
  const moved = {
    quoted: [[kept], [other]],
    cited: [
      [1, kept],
      [2, other],
    ],
    unsupported: [],
  }
  expect(papersOf(message)).toEqual(moved)
  // The quotes are found in the texts of the papers that stayed.
  await expect
    .poll(async () => (await asking.read(id)).messages[0]!.answer!.sentences.map(({ evidence }) => evidence[0]!.start))
    .toEqual([expect.any(Number), expect.any(Number)])
  expect(papersOf((await asking.read(id)).messages[0]!)).toEqual(moved)
  await asking.ada.json(api.joinedPaperUndo(join), { body: {} })
  expect(papersOf((await asking.read(id)).messages[0]!).cited).toEqual([
    [1, short],
    [2, other],
  ])
})

// Only a server of PostgreSQL has a second connection that can lock rows.
it.skipIf(!process.env['TEST_DATABASE_URL'])(
  'A join of a cited paper leaves the source that an answer stores at the same time (FMT-45, LIB-12)',
  async () => {
    const [short, long, kept] = (await insert(SHORT, LONG, `A preface. ${SHORT}`)) as [string, string, string]
    const id = await asking.start()
    provider.next('chat', { kind: 'ok', content: says(SHORT) }, { kind: 'ok', content: YES })
    const former = await asking.ask(id, question, { scope: { kind: 'papers', document_ids: [short] } })
    const verdict = Promise.withResolvers<void>()
    provider.next('chat', { kind: 'ok', content: says(SHORT, LONG) }, { kind: 'ok', content: YES })
    provider.next('chat', { kind: 'ok', content: YES, after: verdict.promise })
    const asked = asking.ask(id, question, { scope: { kind: 'papers', document_ids: [short, long] } })
    expect(papersOf(await begun(id, 1)).cited).toEqual([[1, short]])
    await withTransaction(server, async (own) => {
      await own.query('select from messages where id = $1 for no key update', [former.id])
      const body = { keep_id: kept, join_ids: [short], fields: {} }
      const joined = asking.ada.json(api.duplicatesJoin(), { body })
      await expect.poll(() => own.countWaiting(/"messages"/), { timeout: 60_000 }).toBe(1)
      verdict.resolve()
      const sentences = async () => (await asking.read(id)).messages.at(-1)!.answer!.sentences.length
      await waitFor(async () =>
        expect((await own.countWaiting(/"messages"/)) === 2 || (await sentences()) === 2).toBe(true),
      )
      await own.commit()
      await joined
    })
    expect((await asked).status).toBe('done')
    const { messages } = await asking.read(id)
    expect(messages.map((message) => papersOf(message).cited)).toEqual([
      [[1, kept]],
      [
        [1, kept],
        [2, long],
      ],
    ])
  },
)

it('After joins and their undo, every number of a conversation means one paper (FMT-46, LIB-12)', async () => {
  const { ada } = asking
  const COPPER = 'Copper is a metal of the first transition series.'
  const TIN = 'Tin melts at 232 degrees in every laboratory.'
  const [one, two, kept, tin] = (await insert(SHORT, LONG, COPPER, TIN)) as [string, string, string, string]
  const id = await asking.start()
  const cite = (document_ids: string[], ...sentences: string[]) => {
    provider.reset()
    provider.next('chat', { kind: 'ok', content: says(...sentences) })
    provider.always('chat', { kind: 'ok', content: YES })
    return asking.ask(id, sentences.join(' '), { scope: { kind: 'papers', document_ids } })
  }
  const join = async (joined: string) => {
    const body = { keep_id: kept, join_ids: [joined], fields: {} }
    return (await ada.json<{ data: JoinResult }>(api.duplicatesJoin(), { body })).data.joined[0]!.id
  }
  const undo = (join: string) => ada.json(api.joinedPaperUndo(join), { body: {} })
  const names = new Map([
    [one, 'one'],
    [two, 'two'],
    [kept, 'kept'],
    [tin, 'tin'],
  ])
  /** Returns, for each answer, its source numbers with the names of their papers, such as '1 one, 2 two'. */
  const numbers = async () =>
    (await asking.read(id)).messages.map(({ sources }) =>
      sources.map(({ number, document_id }) => `${number} ${names.get(document_id)}`).join(', '),
    )
  await cite([one, two], SHORT, LONG)
  expect(await numbers()).toEqual(['1 one, 2 two'])
  const joins = [await join(one), await join(two)]
  expect(await numbers()).toEqual(['1 kept'])
  await undo(joins[0]!)
  expect(await numbers()).toEqual(['1 one, 2 kept'])
  await undo(joins[1]!)
  expect(await numbers()).toEqual(['1 one, 2 two'])

  // Another paper gets the free number, and a later answer cites the paper that stayed.
  const again = await join(one)
  const other = await join(two)
  await cite([tin], TIN)
  await cite([kept], COPPER)
  expect(await numbers()).toEqual(['1 kept', '2 tin', '1 kept'])
  await undo(other)
  expect(await numbers()).toEqual(['1 kept, 3 two', '2 tin', '1 kept'])
  await undo(again)
  expect(await numbers()).toEqual(['1 one, 3 two', '2 tin', '4 kept'])
})

it('The passages of a paper that is deleted permanently during an answer are not stored again', async () => {
  const [short, long] = (await insert(SHORT, LONG)) as [string, string]
  const verdict = Promise.withResolvers<void>()
  provider.next('chat', { kind: 'ok', content: says(LONG, LONG) }, { kind: 'ok', content: YES })
  provider.next('chat', { kind: 'ok', content: YES, after: verdict.promise })
  const id = await asking.start()
  const asked = asking.ask(id, question)
  const { id: messageId } = await begun(id, 1)
  const stored = async () => {
    const [row] = await inDatabase(server, 'select passages::text from messages where id = $1', [messageId])
    return String(row!['passages'])
  }
  expect(await stored()).toContain(SHORT)
  await asking.ada.json(api.document(short), { method: 'DELETE' })
  await asking.ada.json(api.trashDocument(short), { method: 'DELETE' })
  expect(await stored()).not.toContain(SHORT)
  verdict.resolve()
  expect(papersOf(await asked).quoted).toEqual([[long], [long]])
  expect(await stored()).not.toContain(SHORT)
  expect(await stored()).toContain(LONG)
})

it('The runs of a conversation that an owner deletes are visible to their author only (FND-33, LIB-15)', async () => {
  await insert(SHORT)
  const editor = await join(server, asking.project, 'editor')
  const viewer = await join(server, asking.project, 'viewer')
  provider.next('chat', { kind: 'ok', content: says(SHORT) }, { kind: 'ok', content: YES })
  const id = await asking.start(editor, 'project')
  const { run_id } = await asking.ask(id, question, {}, editor)
  const statuses = () =>
    Promise.all([editor, asking.ada, viewer].map(async (client) => (await client.fetch(api.run(run_id!))).status))
  expect(await statuses()).toEqual([200, 200, 200])
  await asking.ada.json(api.conversation(id), { method: 'DELETE' })
  expect(await statuses()).toEqual([200, 404, 404])
})

it('A run that starts while its conversation is hidden is hidden too (LIB-15)', async () => {
  await insert(SHORT)
  const viewer = await join(server, asking.project, 'viewer')
  const id = await asking.start()
  provider.next('chat', { kind: 'ok', content: says(SHORT) }, { kind: 'ok', content: YES })
  const client = new pg.Client({ connectionString: server.databaseUrl! })
  await client.connect()
  try {
    // The start of the run waits for its number after it has read the visibility.
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`lectern:runs:${asking.project}`])
    const waiting = async (count: number) =>
      waitFor(async () => {
        const { rows } = await client.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rows).toHaveLength(count)
      })
    const asked = asking.ask(id, question)
    await waiting(1)
    const hidden = asking.ada.json(api.conversation(id), { method: 'PATCH', body: { visibility: 'me' } })
    await waiting(2)
    await client.query('commit')
    await hidden
    const { run_id } = await asked
    expect((await asking.ada.fetch(api.run(run_id!))).status).toBe(200)
    expect((await viewer.fetch(api.run(run_id!))).status).toBe(404)
  } finally {
    await client.end()
  }
})

it('The check of access of a running answer is repeated after a failure of the database', async () => {
  await insert(SHORT)
  const editor = await join(server, asking.project, 'editor')
  const id = await asking.start(editor, 'project')
  provider.next('chat', { kind: 'hang' })
  const asked = asking.refusal(id, { question }, editor)
  await waitFor(async () => expect((await asking.read(id, editor)).messages[0]?.run_id).toEqual(expect.any(String)))
  const client = new pg.Client({ connectionString: server.databaseUrl! })
  await client.connect()
  const name = new URL(server.databaseUrl!).pathname.slice(1)
  const setLimit = (limit: number) => client.query(`alter database "${name}" connection limit ${limit}`)
  try {
    await setLimit(0)
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query not ilike 'listen%'`)
    // Only the connection that listens remains, so the check of access begins and fails.
    await client.query(`select pg_notify('lectern_event', $1)`, [editor.userId])
    await waitFor(async () => expect(server.output()).toContain('53300'))
    await setLimit(-1)
    // No notification follows.
    await client.query('delete from project_members where user_id = $1', [editor.userId])
    expect(await asked).toEqual([404, 'Conversation not found'])
  } finally {
    await setLimit(-1)
    await client.end()
  }
})
