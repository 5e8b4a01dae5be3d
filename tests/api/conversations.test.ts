import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import { type Conversation, type ConversationWithMessages, ONLY_AUTHOR } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
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

/** Returns the status and the message of the error. */
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
      expect(await refusal(client, api.conversation(shared.id), 'DELETE')).toEqual([403, words])
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

    const newText = TEXT.replace('3.4 Safety', '3.4 Safety\nNothing serious happened.')
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: newText } })
    const cited = (await read(ada, conversation_id)).messages[0]!.chat!.statements.flatMap(({ passages }) => passages)
    const { page, start: from, end } = cited.find(({ quote }) => quote?.includes('minor fall'))!
    expect(splitPages(newText)[page! - 1]!.text.slice(from!, end!)).toContain(FALL)

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
})
