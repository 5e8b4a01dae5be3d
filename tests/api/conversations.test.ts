import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import {
  ANSWER_INTERRUPTED,
  type Conversation,
  type ConversationWithMessages,
  ONLY_AUTHOR,
  TOO_MANY_CONVERSATIONS,
  TOO_MANY_QUESTIONS,
} from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { listenToEvents } from '#tests/helpers/event-listener.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
const FALL = 'Four walkers had a minor fall during a walk; none needed treatment beyond a plaster.'
const TEXT = `[Page 1]\nEvening walks and sleep\nWalking in the evening helped older adults to sleep.\n\n[Page 2]\n3.4 Safety\n${FALL} The weather was mild.`

let ada: Client
let editor: Client
let viewer: Client
let stranger: Client
let project: string

beforeAll(async () => {
  ;[ada, editor, viewer, stranger] = (await Promise.all(Array.from({ length: 4 }, () => signUp(server.url)))) as [
    Client,
    Client,
    Client,
    Client,
  ]
  project = await newProject('Walks')
  for (const [role, client] of [
    ['editor', editor],
    ['viewer', viewer],
  ] as const)
    await inDatabase(server, 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)', [
      project,
      client.userId,
      role,
    ])
})

const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const start = async (client: Client, body: object = {}) =>
  (await client.json<{ data: Conversation }>(api.conversations(project), { body })).data
const read = async (client: Client, id: string) =>
  (await client.json<{ data: ConversationWithMessages }>(api.conversation(id))).data
const list = async (client: Client, path = api.conversations(project)) =>
  (await client.json<{ data: Conversation[]; count: number }>(path)).data.map(({ id }) => id)

/** Inserts `count` conversations of the user Ada into a project. */
const fill = (projectId: string, count: number) =>
  inDatabase(
    server,
    'insert into conversations (project_id, created_by) select $1, $2 from generate_series(1, $3::int)',
    [projectId, ada.userId, count],
  )

/** Sends a call and returns the status and the error message of its response. */
async function refusal(client: Client, path: string, method = 'GET', body?: object) {
  const init = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}
  const response = await client.fetch(path, { method, ...init })
  const { error } = (await response.json()) as { error?: { message: string } }
  return [response.status, error?.message]
}

describe('stored conversations', () => {
  it('A conversation is private until its author shares it, and only the author changes it (LIB-15)', async () => {
    const mine = await start(ada)
    const shared = await start(ada, { title: ' Naps ', visibility: 'project' })
    expect(mine).toMatchObject({ title: '', visibility: 'me', is_mine: true, questions: 0, document_id: null })
    expect(shared).toMatchObject({ title: 'Naps', visibility: 'project', created_by: { id: ada.userId } })
    expect(await list(ada)).toEqual([shared.id, mine.id])
    const paged = await ada.json<{ data: Conversation[]; count: number }>(
      api.conversations(project, { page: 2, limit: 1 }),
    )
    expect([paged.data.map(({ id }) => id), paged.count]).toEqual([[mine.id], 2])
    for (const client of [editor, viewer]) {
      expect(await list(client)).toEqual([shared.id])
      expect(await read(client, shared.id)).toMatchObject({ is_mine: false, messages: [] })
      expect(await refusal(client, api.conversation(mine.id))).toEqual([404, 'Conversation not found'])
    }
    for (const [client, words] of [
      [editor, ONLY_AUTHOR],
      [viewer, ROLE_TOO_SMALL],
    ] as const) {
      expect(await refusal(client, api.conversation(shared.id), 'PATCH', { title: 'x' })).toEqual([403, words])
      expect(await refusal(client, api.conversation(shared.id), 'DELETE')).toEqual([403, ONLY_AUTHOR])
    }
    expect(await refusal(viewer, api.conversations(project), 'POST', {})).toEqual([403, ROLE_TOO_SMALL])
    expect(await refusal(stranger, api.conversations(project))).toEqual([404, 'Project not found'])
    expect(await refusal(stranger, api.conversation(shared.id))).toEqual([404, 'Conversation not found'])
    const renamed = await ada.json<{ data: Conversation }>(api.conversation(shared.id), {
      method: 'PATCH',
      body: { title: 'Naps at work', visibility: 'me' },
    })
    expect(renamed.data).toMatchObject({ title: 'Naps at work', visibility: 'me' })
    expect(await list(viewer)).toEqual([])
    await ada.json(api.conversation(shared.id), { method: 'DELETE' })
    expect(await refusal(ada, api.conversation(shared.id))).toEqual([404, 'Conversation not found'])
  })

  it('A chat with a paper is stored with its citations, which follow a new text and a move of the paper', async () => {
    const file = new File([onePagePdf(['x'])], 'walks.pdf', { type: 'application/pdf' })
    const { id } = await ada.upload(project, file)
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: TEXT } })
    const { data: job } = await ada.json<{ data: { id: string } }>(api.documentVectorize(id), { body: {} })
    await ada.job(job.id)
    const ask = async (body: object) => (await ada.json<{ data: ChatAnswer }>(api.documentChat(id), { body })).data
    const first = await ask({ question: 'How many walkers had a minor fall during a walk?' })
    const { conversation_id, ...answer } = first
    await ask({ question: 'What did the authors find?', conversation_id })
    const stored = await read(ada, conversation_id)
    expect(stored).toMatchObject({ document_id: id, questions: 2, visibility: 'me' })
    expect(stored.title).toBe('How many walkers had a minor fall during a walk?')
    expect(stored.messages[0]).toMatchObject({ status: 'done', answer: null, chat: answer })
    expect(await list(ada, api.documentConversations(id))).toEqual([conversation_id])
    expect(await list(editor, api.documentConversations(id))).toEqual([])
    expect(await list(ada)).not.toContain(conversation_id)

    await fill(project, 1000)
    const question = { question: 'What did the authors find?' }
    expect(await refusal(ada, api.documentChat(id), 'POST', question)).toEqual([422, TOO_MANY_CONVERSATIONS])
    await inDatabase(server, `delete from conversations where project_id = $1 and title = ''`, [project])

    const newText = TEXT.replace('3.4 Safety', '3.4 Safety\nNothing serious happened.')
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: newText } })
    const cited = (await read(ada, conversation_id)).messages[0]!.chat!.statements.flatMap(({ passages }) => passages)
    const { page, start: from, end } = cited.find(({ quote }) => quote?.includes('minor fall'))!
    expect(splitPages(newText)[page! - 1]!.text.slice(from!, end!)).toContain(FALL)
    // The places are stored, so the next reading does not search them.
    const [row] = await inDatabase(
      server,
      `select answer -> 'now' -> 'passages' as now from messages where conversation_id = $1 order by asked_at limit 1`,
      [conversation_id],
    )
    expect(row!['now']).toEqual(cited)
    expect(
      (await read(ada, conversation_id)).messages[0]!.chat!.statements.flatMap(({ passages }) => passages),
    ).toEqual(cited)

    await ada.json(api.conversation(conversation_id), { method: 'PATCH', body: { visibility: 'project' } })
    expect(await list(viewer, api.documentConversations(id))).toEqual([conversation_id])
    const other = await newProject('Elsewhere')
    await ada.json(api.document(id), { method: 'PATCH', body: { project_id: other } })
    // The members of the other project do not read it until its author shows it to them.
    expect(await read(ada, conversation_id)).toMatchObject({ project_id: other, visibility: 'me' })
    expect(await refusal(viewer, api.conversation(conversation_id))).toEqual([404, 'Conversation not found'])
    await ada.json(api.document(id), { method: 'DELETE' })
    expect(await refusal(ada, api.conversation(conversation_id))).toEqual([404, 'Conversation not found'])
  })

  it('An owner of the project hides or deletes shared conversations of others, also of a former member (LIB-15)', async () => {
    const member = await signUp(server.url)
    const values = [project, member.userId]
    await inDatabase(
      server,
      `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`,
      values,
    )
    const shared = await start(member, { title: 'Hills', visibility: 'project' })
    expect([await read(ada, shared.id), await read(editor, shared.id), await read(member, shared.id)]).toMatchObject([
      { may_remove: true, is_mine: false },
      { may_remove: false, is_mine: false },
      { may_remove: false, is_mine: true },
    ])
    const path = api.conversation(shared.id)
    for (const edit of [{ title: 'x' }, { title: 'x', visibility: 'me' }, { visibility: 'project' }])
      expect(await refusal(ada, path, 'PATCH', edit)).toEqual([403, ONLY_AUTHOR])
    expect(await refusal(ada, path, 'PATCH', { visibility: 'me' })).toEqual([200, undefined])
    expect(await refusal(ada, path)).toEqual([404, 'Conversation not found'])
    expect(await read(member, shared.id)).toMatchObject({ title: 'Hills', visibility: 'me' })
    expect(await refusal(ada, path, 'DELETE')).toEqual([404, 'Conversation not found'])
    await member.json(path, { method: 'PATCH', body: { visibility: 'project' } })
    await inDatabase(server, 'delete from project_members where project_id = $1 and user_id = $2', values)
    expect(await refusal(member, path, 'DELETE')).toEqual([404, 'Conversation not found'])
    await ada.json(path, { method: 'DELETE' })
    expect(await list(ada)).not.toContain(shared.id)
  })

  it('An author who became a viewer deletes own conversations, and neither renames nor shares them (LIB-10)', async () => {
    const member = await signUp(server.url)
    const setRole = (role: string) =>
      inDatabase(
        server,
        `insert into project_members (project_id, user_id, role) values ($1, $2, $3)
          on conflict (project_id, user_id) do update set role = excluded.role`,
        [project, member.userId, role],
      )
    await setRole('reviewer')
    const own = [await start(member), await start(member, { visibility: 'project' })]
    await setRole('viewer')
    for (const { id } of own) {
      expect(await refusal(member, api.conversation(id), 'PATCH', { title: 'x' })).toEqual([403, ROLE_TOO_SMALL])
      await member.json(api.conversation(id), { method: 'DELETE' })
      expect(await refusal(member, api.conversation(id))).toEqual([404, 'Conversation not found'])
    }
  })

  it('The readers of a conversation receive an event when it is shared, hidden or deleted, and no other member does', async () => {
    const [ofAda, ofEditor] = [await listenToEvents(ada), await listenToEvents(editor)]
    const count = ({ received }: typeof ofAda) =>
      received.filter(({ data }) => 'part' in data && data.part === 'conversations' && data.id === project).length
    const hidden = await start(ada)
    const shared = await start(ada, { visibility: 'project' })
    await ada.json(api.conversation(hidden.id), { method: 'PATCH', body: { title: 'Mine' } })
    await ada.json(api.conversation(hidden.id), { method: 'DELETE' })
    await ada.json(api.conversation(shared.id), { method: 'PATCH', body: { visibility: 'me' } })
    await ada.json(api.conversation(shared.id), { method: 'PATCH', body: { visibility: 'project' } })
    await ada.json(api.conversation(shared.id), { method: 'DELETE' })
    await expect.poll(() => [count(ofAda), count(ofEditor)], { timeout: 60_000 }).toEqual([5, 3])
    ofAda.close()
    ofEditor.close()
  })

  it('A user has at most 1,000 conversations in a project, with 200 questions each', async () => {
    const full = await newProject('Full')
    await fill(full, 999)
    const { data: last } = await ada.json<{ data: Conversation }>(api.conversations(full), { body: {} })
    expect(await refusal(ada, api.conversations(full), 'POST', {})).toEqual([422, TOO_MANY_CONVERSATIONS])
    await inDatabase(
      server,
      `insert into messages (conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status)
        select $1, $2, $3, 'Why?', '{"kind": "all"}', true, 'done' from generate_series(1, 200)`,
      [last.id, full, ada.userId],
    )
    expect(await refusal(ada, api.conversationMessages(last.id), 'POST', { question: 'Why?' })).toEqual([
      422,
      TOO_MANY_QUESTIONS,
    ])
  })

  it('An answer of a server that stopped reporting ends as interrupted, and its author can ask again (LIB-13)', async () => {
    const { id } = await start(editor)
    const [message] = await inDatabase(
      server,
      `insert into messages (conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status, alive_at)
        values ($1, $2, $3, 'Why?', '{"kind": "all"}', true, 'answering', now() - interval '11 seconds') returning id`,
      [id, project, editor.userId],
    )
    await expect
      .poll(async () => (await read(editor, id)).messages[0])
      .toMatchObject({
        id: message!['id'],
        status: 'stopped',
        error: ANSWER_INTERRUPTED,
      })
  })
})
