import { api } from '#shared/contract/paths.ts'
import { inDatabase } from './database.ts'
import type { Walk } from './random-walk.ts'
import type { SharedServer } from './shared-server.ts'
import type { OracleConversation } from './sharing-oracle.ts'
import { QUOTE, type Send } from './walk-work.ts'

/** The ids of the objects that `insertObjects` creates in a project before the random walk, by kind. */
export type FixedObjects = Record<'import' | 'record' | 'library' | 'recommendation', string>

/** A call of a route of an object that has its own id, such as an import. It changes nothing that the oracle models. */
interface ObjectCall {
  method: string
  path: string
  body: object | null
  /** The right in the project that the call needs. */
  right: string
}

/** Inserts an import with a record, a linked Zotero library and a recommendation into a project. Returns their ids. */
export async function insertObjects(server: SharedServer, project: string, owner: string): Promise<FixedObjects> {
  const [row] = await inDatabase(
    server,
    `with act as (
       insert into imports (project_id, created_by, kind, filename) values ($1, $2, 'file', 'naps.ris') returning id
     ), record as (
       insert into import_records (import_id, project_id, position, outcome, raw) select id, $1, 1, 'skipped', 'TY  - JOUR' from act
       returning id
     ), library as (
       insert into zotero_libraries (project_id, created_by, server, library, library_name, with_subcollections, with_pdfs, with_tags,
         synchronize) values ($1, $2, 'x', 'users/1', 'Library', true, true, true, 'never') returning id
     ), recommendation as (
       insert into research_recommendation (project_id, created_by, title) values ($1, $2, 'Naps') returning id
     ) select act.id as import, record.id as record, library.id as library, recommendation.id as recommendation
       from act, record, library, recommendation`,
    [project, owner],
  )
  return row as FixedObjects
}

/**
 * Returns calls for the objects that `insertObjects` created. A permitted call does not change the expected results of later
 * calls.
 */
const callsOf = (ids: FixedObjects): ObjectCall[] => [
  { method: 'GET', path: api.import(ids.import), body: null, right: 'read' },
  { method: 'GET', path: api.importRecords(ids.import), body: null, right: 'read' },
  { method: 'GET', path: api.importRecord(ids.record), body: null, right: 'read' },
  { method: 'PATCH', path: api.zoteroImport(ids.library), body: { synchronize: 'never' }, right: 'edit' },
  { method: 'PATCH', path: api.recommendation(ids.recommendation), body: { status: 'rejected' }, right: 'edit' },
]

/** Calls a random route of an import, an import record, a Zotero library or a recommendation, and checks the status. */
export async function objectOfProject({ oracle, people, choose, objects }: Walk, send: Send): Promise<void> {
  const who = choose(people)
  const [project, ids] = choose([...objects])
  const { method, path, body, right } = choose(callsOf(ids))
  await send(who, method, path, body, oracle.status(oracle.right(who.userId, project, right)))
}

/**
 * Calls a random route of a conversation, its answer, the evidence of the answer or the run of the answer, and checks the
 * status.
 */
export async function answer({ oracle, people, choose }: Walk, send: Send): Promise<void> {
  if (oracle.conversations.size === 0) return
  const who = choose(people)
  const one = choose([...oracle.conversations.values()])
  const isVisible = oracle.seesConversation(who.userId, one)
  const read = isVisible ? 200 : 404
  const paper = oracle.documents.get(one.document)
  const readsPaper = paper && !paper.isDeleted && oracle.rightInDocument(who.userId, paper, 'read')
  const refused = isVisible ? 403 : 404
  const kind = choose([
    'conversation',
    'export',
    'passages',
    'feedback',
    'stop',
    'ask',
    'places',
    'place',
    'run',
  ] as const)
  const get = (path: string, expected: number) => send(who, 'GET', path, null, expected)
  const mayAsk = oracle.right(who.userId, one.project, 'ask') === true
  const isOwn = one.author === who.userId && mayAsk
  if (kind === 'conversation') return void (await get(api.conversation(one.id), read))
  if (kind === 'export') return void (await get(api.conversationExport(one.id, 'json'), read))
  if (kind === 'passages') return void (await get(api.answerPassages(one.message), read))
  if (kind === 'feedback')
    return void (await send(who, 'PUT', api.answerFeedback(one.message), { helpful: true }, read))
  if (kind === 'stop') return void (await send(who, 'POST', api.answerStop(one.message), null, isOwn ? 200 : refused))
  if (kind === 'run') return readRun({ oracle, choose }, who, get)
  if (kind === 'places') return void (await get(api.evidencePlaces(one.evidence), isVisible && readsPaper ? 200 : 404))
  if (kind === 'ask') {
    // A permitted question would call the model.
    if (!isOwn) await send(who, 'POST', api.conversationMessages(one.id), { question: 'Naps?' }, refused)
    return
  }
  // The evidence of a deleted paper is hidden (404) from users who may read its project. Evidence that has a place in the text
  // cannot be moved (409).
  const isHidden =
    !isVisible || !paper || (paper.isDeleted && oracle.rightInDocument(who.userId, paper, 'read') === true)
  const moved = isHidden ? 404 : !mayAsk ? 403 : !readsPaper ? 404 : isOwn ? 409 : 403
  await send(who, 'PUT', api.evidencePlace(one.evidence), { quote: QUOTE }, moved)
}

async function readRun(
  { oracle, choose }: Pick<Walk, 'oracle' | 'choose'>,
  who: { userId: string },
  get: (path: string, expected: number) => Promise<string>,
): Promise<void> {
  const [id, run] = choose([...oracle.runs])
  const expected = oracle.seesRun(who.userId, run) ? 200 : 404
  await get(choose([api.run(id), api.runExport(id, 'csv'), api.runComparison(id, id)]), expected)
}

/** Returns the conversations of a project that an account may read. */
export const conversationsOf = ({ oracle }: Walk, who: string, project: string): OracleConversation[] =>
  [...oracle.conversations.values()].filter((one) => one.project === project && oracle.seesConversation(who, one))
