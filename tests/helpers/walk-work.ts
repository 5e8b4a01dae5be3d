import { api } from '#shared/contract/paths.ts'
import type { Client } from './client.ts'
import { inDatabase } from './database.ts'
import type { Walk } from './random-walk.ts'
import type { SharedServer } from './shared-server.ts'
import type { OracleConversation } from './sharing-oracle.ts'

const MOST_CONVERSATIONS = 20
const MOST_SEARCHES = 20
const MOST_KEYS = 8
const SCOPES = [['read'], ['read', 'ask'], ['read', 'write'], ['read', 'ask', 'write']] as const
export const QUOTE = 'Naps helped older adults fall asleep.'

/** Sends a request as `who`. Throws unless its status is `expected`. Returns the text of the response. */
export type Send = (
  who: Pick<Client, 'fetch'>,
  method: string,
  path: string,
  body: object | null,
  expected: number,
) => Promise<string>
/** An action of the random walk. */
type Work = (walk: Walk, send: Send, server: SharedServer) => Promise<void>

const idOf = (text: string) => (JSON.parse(text) as { data: { id: string } }).data.id

/** Creates a conversation with an answer, or renames, shares, hides or deletes a random conversation. */
export const conversation: Work = async ({ oracle, people, choose }, send, server) => {
  const who = choose(people)
  const known = [...oracle.conversations.values()]
  if (known.length === 0 || (known.length < MOST_CONVERSATIONS && choose([true, false]))) {
    const project = choose([...oracle.projects.keys()])
    const isShared = choose([true, false])
    const body = { visibility: isShared ? 'project' : 'me' }
    const expected = oracle.status(oracle.right(who.userId, project, 'ask'))
    const text = await send(who, 'POST', api.conversations(project), body, expected)
    const papers = [...oracle.documents.values()].filter((one) => one.project === project)
    if (expected !== 200) return
    const id = idOf(text)
    // A project without papers has no answers.
    if (papers.length === 0) return void (await send(who, 'DELETE', api.conversation(id), null, 200))
    const one = { id, project, author: who.userId, isShared, document: choose(papers).id }
    const answer = await insertAnswer(server, one)
    oracle.conversations.set(id, { ...one, ...answer })
    oracle.runs.set(answer.run, { project, creator: who.userId, isPrivate: !isShared })
    return
  }
  const one = choose(known)
  const kind = choose(['show', 'hide', 'rename', 'delete'] as const)
  const path = api.conversation(one.id)
  if (kind === 'delete') return void (await send(who, 'DELETE', path, null, oracle.deleteConversation(who.userId, one)))
  if (kind === 'rename')
    return void (await send(who, 'PATCH', path, { title: 'T' }, oracle.statusOfChange(who.userId, one, false)))
  const isShared = kind === 'show'
  const visibility = isShared ? 'project' : 'me'
  await send(who, 'PATCH', path, { visibility }, oracle.show(who.userId, one, isShared))
}

/** Inserts an answer with a run and a quote into the database, because an answer of the AI model would take a second. */
export async function insertAnswer(
  server: SharedServer,
  { id, project, author, isShared, document }: Omit<OracleConversation, 'message' | 'evidence' | 'run'>,
): Promise<{ message: string; evidence: string; run: string }> {
  const [row] = await inDatabase(
    server,
    `with run as (
       insert into runs (project_id, number, created_by, via, kind, title, is_private, model, model_settings, prompt_text,
         prompt_text_hash, code_version, input, input_hash, status, ended_at)
       values ($2, (select coalesce(max(number), 0) + 1 from runs where project_id = $2), $3, 'web', 'library_answer', 'Q', not $4,
         'm', '{}', '', '', '', jsonb_build_object('documents', jsonb_build_array(jsonb_build_object('id', $5::uuid, 'text_version', 0))),
         'h', 'completed', now()) returning id
     ), message as (
       insert into messages (conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status, run_id)
       select $1, $2, $3, 'Q', '{"kind":"all"}', true, 'done', id from run returning id
     ), quote as (
       insert into evidence (project_id, created_by, document_id, subject_kind, subject_id, visibility, text_version, quote, prefix,
         suffix, match, score)
       select $2, $3, $5, 'message', id, case when $4 then 'project' else 'me' end, 0, '${QUOTE}', '', '', 'exact', 1
       from message returning id
     ) select run.id as run, message.id as message, quote.id as evidence from run, message, quote`,
    [id, project, author, isShared, document],
  )
  return { run: String(row!['run']), message: String(row!['message']), evidence: String(row!['evidence']) }
}

/** Saves a search, or renames or deletes a random saved search. */
export const search: Work = async ({ oracle, people, choose }, send) => {
  const who = choose(people)
  const known = [...oracle.searches]
  if (known.length === 0 || (known.length < MOST_SEARCHES && choose([true, false]))) {
    const project = choose([...oracle.projects.keys()])
    const expected = oracle.status(oracle.right(who.userId, project, 'read'))
    const body = { name: 'Naps', query: { q: 'naps' } }
    const text = await send(who, 'POST', api.savedSearches(project), body, expected)
    if (expected === 200) oracle.searches.set(idOf(text), { project, user: who.userId })
    return
  }
  const [id, { project, user }] = choose(known)
  const isReadable = user === who.userId && oracle.right(user, project, 'read') === true
  const expected = isReadable ? 200 : 404
  if (choose([true, false])) return void (await send(who, 'PATCH', api.savedSearch(id), { name: 'Sleep' }, expected))
  await send(who, 'DELETE', api.savedSearch(id), null, expected)
  if (expected === 200) oracle.searches.delete(id)
}

/** Creates an API key, revokes a random key, or calls the server with a random key and checks the results. */
export const key: Work = async ({ oracle, people, choose }, send, { url }) => {
  const who = choose(people)
  const known = [...oracle.keys.values()]
  if (known.length < MOST_KEYS && choose([true, false])) {
    const own = oracle.projectsOf(who.userId)
    const projects = own.length > 0 && choose([true, false]) ? [choose(own)] : null
    const scopes = choose(SCOPES)
    const text = await send(who, 'POST', api.keys(), { name: 'Key', scopes, project_ids: projects }, 200)
    const { data } = JSON.parse(text) as { data: { id: string; key: string } }
    oracle.keys.set(data.id, { ...data, user: who.userId, scopes, projects })
    return
  }
  if (known.length === 0) return
  const one = choose(known)
  const program = { fetch: (path: string, init: RequestInit = {}) => fetch(url + path, withKey(one.key, init)) }
  if (choose([true, false, false, false, false, false])) {
    await send(who, 'DELETE', api.key(one.id), null, who.userId === one.user ? 200 : 404)
    if (who.userId !== one.user) return
    oracle.keys.delete(one.id)
    await send(program, 'GET', api.projects(), null, 401)
    return
  }
  const rows = async (path: string) =>
    (JSON.parse(await send(program, 'GET', path, null, 200)) as { data: { id: string }[] }).data.map(({ id }) => id)
  same(
    'the projects of a key',
    await rows(api.projects()),
    oracle.projectsOf(one.user).filter((id) => oracle.reaches(one, id)),
  )
  const documents = oracle.documentsOf(one.user, 'read', false).filter(({ project }) => oracle.reaches(one, project))
  same(
    'the documents of a key',
    await rows(api.documents({ limit: 50 })),
    documents.map(({ id }) => id),
  )
  const all = [...oracle.documents.values()].filter(({ isDeleted }) => !isDeleted)
  if (all.length === 0) return
  const paper = choose(all)
  const allowed = oracle.reaches(one, paper.project) ? oracle.rightInDocument(one.user, paper, 'edit') : null
  const expected = one.scopes.includes('write') ? oracle.status(allowed) : 403
  await send(program, 'PATCH', api.document(paper.id), { summary: 'By a key' }, expected)
}

const withKey = (value: string, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${value}` },
})

/** Throws unless two lists have the same elements in any order. `what` describes the lists in the error message. */
export function same(what: string, found: readonly string[], expected: readonly string[]): void {
  const [a, b] = [JSON.stringify(found.toSorted()), JSON.stringify(expected.toSorted())]
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`)
}
