import { randomUUID } from 'node:crypto'
import type { Conversation, ConversationMessage, ConversationWithMessages } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import type { RunDetails } from '#shared/contract/runs.ts'
import { inDatabase } from './database.ts'
import { type Client, signUp } from './server.ts'
import type { SharedServer } from './shared-server.ts'

/** The fields of a paper that `Asking.insert` stores as a document. `tags` are its keywords. */
export interface Paper {
  title: string
  text: string
  tags?: string[]
  retracted?: boolean
}

/** A project on a server with functions that insert papers and ask questions. They act as the owner `ada` by default. */
export class Asking {
  readonly server: SharedServer
  readonly ada: Client
  readonly project: string

  constructor(server: SharedServer, ada: Client, project: string) {
    this.server = server
    this.ada = ada
    this.project = project
  }

  async insert({ title, text, tags = [], retracted = false }: Paper): Promise<string> {
    const id = randomUUID()
    await inDatabase(
      this.server,
      `insert into documents (id, created_by, project_id, filename, title, extracted_text, text_version, keywords, retracted, reference)
        values ($1, $2, $3, $4, $4, $5, 1, $6, $7, $8)`,
      [
        id,
        this.ada.userId,
        this.project,
        title,
        `[Page 1]\n${title}\n\n${text}`,
        tags,
        retracted,
        JSON.stringify({ id, title, type: 'article-journal', issued: { 'date-parts': [[2020]] } }),
      ],
    )
    return id
  }

  async vectorize(ids: readonly string[]): Promise<void> {
    const work = await this.ada.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: ids, steps: ['vectorize'] },
    })
    await this.ada.job(work.data.id)
  }

  start = async (client = this.ada, visibility: 'me' | 'project' = 'project') =>
    (await client.json<{ data: Conversation }>(api.conversations(this.project), { body: { visibility } })).data.id

  ask = async (conversation: string, question: string, more: object = {}, client = this.ada) =>
    (
      await client.json<{ data: ConversationMessage }>(api.conversationMessages(conversation), {
        body: { question, ...more },
      })
    ).data

  read = async (id: string, client = this.ada) =>
    (await client.json<{ data: ConversationWithMessages }>(api.conversation(id))).data

  run = async ({ run_id }: ConversationMessage, client = this.ada) =>
    (await client.json<{ data: RunDetails }>(api.run(run_id!))).data

  post = (conversation: string, body: object, accept = 'application/json', client = this.ada) =>
    client.fetch(api.conversationMessages(conversation), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    })

  async refusal(conversation: string, body: object, client = this.ada) {
    const response = await this.post(conversation, body, 'application/json', client)
    const { error } = (await response.json()) as { error?: { message: string } }
    return [response.status, error?.message]
  }
}

/** Signs up the user Ada, creates a project of hers, and returns the functions to ask questions in it. */
export async function begin(server: SharedServer): Promise<Asking> {
  const ada = await signUp(server.url)
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  return new Asking(server, ada, data.id)
}

/** Signs up a user, inserts the account as a member of a project with a role, and returns its client. */
export async function join(server: SharedServer, project: string, role: string): Promise<Client> {
  const client = await signUp(server.url)
  const values = [project, client.userId, role]
  await inDatabase(server, 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)', values)
  return client
}
