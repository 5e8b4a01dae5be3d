import { api } from '#shared/contract/paths.ts'
import { below, seeded } from '#tests/hostile/random.ts'
import { type Client, signUp } from './client.ts'
import { type EventListener, listenToEvents } from './event-listener.ts'
import { onePagePdf } from './one-page-pdf.ts'
import { callOf, type ProjectRoute, readProjectRoutes } from './project-routes.ts'
import { READERS } from './readable-rows.ts'
import type { SharedServer } from './shared-server.ts'
import { SharingOracle } from './sharing-oracle.ts'
import { member } from './walk-members.ts'
import { answer, type FixedObjects, insertObjects, objectOfProject } from './walk-objects.ts'
import { conversation, key, same, search, type Send } from './walk-work.ts'

const PEOPLE = 5
const PROJECTS = 3
/** Maximum number of documents, so that each list has one page. */
const MOST_DOCUMENTS = 40
/** With fewer documents, the walk deletes none. */
const FEW_DOCUMENTS = 3
/** A removed member receives no event of the project after this time (SHR-31). */
const LAST_EVENT_MS = 5000
const pdf = onePagePdf(['Naps helped older adults.'])
const paper = () => new File([pdf], 'paper.pdf', { type: 'application/pdf' })

export interface Walk {
  oracle: SharingOracle
  people: Client[]
  /** The jobs by id, with the ids of their documents. */
  jobs: Map<string, string>
  /** The objects of `insertObjects` by project. */
  objects: Map<string, FixedObjects>
  /** Returns a random element of a list that is not empty. */
  choose: <T>(list: readonly T[]) => T
}
interface Observed {
  server: SharedServer
  routes: ProjectRoute[]
  listeners: EventListener[]
  /** The number of checked events of each listener. */
  checked: number[]
  /** The time at which an account left a project, by 'account project'. */
  left: Map<string, number>
}

/** The kinds of actions; a repeated kind is more frequent. */
const ACTIONS = {
  member: (walk: Walk, { left }: Observed) => member(walk, send, left),
  document,
  move,
  call,
  read,
  conversation: (walk: Walk, { server }: Observed) => conversation(walk, send, server),
  search: (walk: Walk, { server }: Observed) => search(walk, send, server),
  key: (walk: Walk, { server }: Observed) => key(walk, send, server),
  object: (walk: Walk) => objectOfProject(walk, send),
  answer: (walk: Walk) => answer(walk, send),
} as const
const KINDS = [
  ...(['member', 'member', 'document', 'move', 'call', 'call', 'call', 'read', 'read', 'read', 'read'] as const),
  ...(['conversation', 'search', 'key', 'object', 'answer', 'answer'] as const),
] as const

/**
 * Lets five users do `actions` random actions in three projects, and compares every answer with the oracle. Throws at the
 * first difference, with the seed and the number of the action. Returns the number of actions of each kind.
 */
export async function walkAtRandom(
  server: SharedServer,
  seed: number,
  actions: number,
): Promise<Record<string, number>> {
  const random = seeded(seed)
  const choose: Walk['choose'] = (list) => list[below(random, list.length)]!
  const walk: Walk = { oracle: new SharingOracle(), people: [], jobs: new Map(), objects: new Map(), choose }
  const observed = await begin(server, walk)
  const done: Record<string, number> = {}
  try {
    for (let step = 1; step <= actions; step += 1) {
      const kind = choose(KINDS)
      done[kind] = (done[kind] ?? 0) + 1
      try {
        await ACTIONS[kind](walk, observed)
        checkEvents(walk, observed)
      } catch (error) {
        throw new Error(`seed ${seed}, action ${step} (${kind}): ${String(error)}`, { cause: error })
      }
    }
  } finally {
    for (const listener of observed.listeners) listener.close()
  }
  return done
}

/** Creates the users, a project of each of the first three, and a document with vectors in each project. */
async function begin(server: SharedServer, { oracle, people, jobs, objects }: Walk): Promise<Observed> {
  for (let at = 0; at < PEOPLE; at += 1) people.push(await signUp(server.url))
  for (const owner of people.slice(0, PROJECTS)) {
    const tag = `tag ${owner.userId}`
    const body = { name: `Walk ${owner.userId}`, tags: [tag] }
    const project = (await owner.json<{ data: { id: string } }>(api.projects(), { body })).data.id
    oracle.projects.set(project, { roles: new Map([[owner.userId, 'owner']]), owner: owner.userId, tag })
    const { id } = await owner.upload(project, paper())
    oracle.documents.set(id, { id, project, creator: owner.userId, isDeleted: false })
    const text = { extracted_text: '[Page 1]\nNaps helped older adults fall asleep.' }
    await owner.json(api.documentText(id), { method: 'PUT', body: text })
    const job = (await owner.json<{ data: { id: string } }>(api.documentVectorize(id), { body: {} })).data.id
    await owner.job(job)
    jobs.set(job, id)
    objects.set(project, await insertObjects(server, project, owner.userId))
  }
  return {
    server,
    routes: await readProjectRoutes(people[0]!),
    listeners: await Promise.all(people.map(listenToEvents)),
    checked: people.map(() => 0),
    left: new Map(),
  }
}

/** Compares the status of an answer with the oracle; 200 matches every status of success. */
function compare(response: { status: number; text: string }, expected: number, what: string): void {
  const status = response.status < 300 ? 200 : response.status
  if (status !== expected) throw new Error(`${what}: ${status} instead of ${expected}: ${response.text.slice(0, 300)}`)
}

const send: Send = async (who, method, path, body, expected) => {
  const json = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
  const response = await who.fetch(path, { method, ...json })
  const text = await response.text()
  compare({ status: response.status, text }, expected, `${method} ${path} ${JSON.stringify(body)}`)
  return text
}

/** Uploads a document, or deletes, restores or permanently deletes one. */
async function document({ oracle, people, choose }: Walk): Promise<void> {
  const who = choose(people)
  const known = [...oracle.documents.values()]
  if (known.length < FEW_DOCUMENTS || (known.length < MOST_DOCUMENTS && choose([true, false]))) {
    const project = choose([...oracle.projects.keys()])
    const form = new FormData()
    form.append('project_id', project)
    form.append('file', paper())
    const response = await who.fetch(api.documents(), { method: 'POST', body: form })
    const text = await response.text()
    const expected = oracle.status(oracle.right(who.userId, project, 'edit'))
    compare({ status: response.status, text }, expected, `an upload to ${project}`)
    if (expected !== 200) return
    const { id } = (JSON.parse(text) as { data: { id: string } }).data
    oracle.documents.set(id, { id, project, creator: who.userId, isDeleted: false })
    return
  }
  const one = choose(known)
  const allowed = oracle.status(oracle.rightInDocument(who.userId, one, 'edit'))
  if (!one.isDeleted) {
    await send(who, 'DELETE', api.document(one.id), null, allowed)
    if (allowed === 200) one.isDeleted = true
  } else if (choose([true, true, false])) {
    await send(who, 'POST', api.documentRestore(one.id), null, allowed)
    if (allowed === 200) one.isDeleted = false
  } else {
    await send(who, 'DELETE', api.trashDocument(one.id), null, allowed)
    if (allowed === 200) oracle.documents.delete(one.id)
  }
}

/** Moves a document, or all documents of a project, to a project or to the documents of the caller without a project. */
async function move({ oracle, people, choose }: Walk): Promise<void> {
  const [who, one] = [choose(people), choose([...oracle.documents.values()])]
  const [from, to] = [choose([...oracle.projects.keys()]), choose([...oracle.projects.keys(), null])]
  if (from !== to && choose([true, false, false])) {
    const expected = oracle.moveAll(who.userId, from, to)
    await send(who, 'POST', api.documentsReassign(), { from_project_id: from, project_id: to }, expected)
    return
  }
  const expected = oracle.move(who.userId, one, to)
  await send(who, 'PATCH', api.document(one.id), { project_id: to }, expected)
}

/** Calls a route of a project or a document. Permitted calls are made only if they change no data. */
async function call({ oracle, people, choose }: Walk, { routes }: Observed): Promise<void> {
  const [who, route] = [choose(people), choose(routes)]
  const shown = [...oracle.documents.values()].filter(({ isDeleted }) => !isDeleted)
  if (shown.length === 0) return
  const one = choose(shown)
  const project = choose([...oracle.projects.keys()])
  const right =
    route.of === 'document'
      ? oracle.rightInDocument(who.userId, one, route.right)
      : oracle.right(who.userId, project, route.right)
  if (right === true && (route.right !== 'read' || changesData(route))) return
  const user = oracle.projects.get(project)!.owner
  const { path, init } = callOf(route, { project, document: one.id, user })
  const response = await who.fetch(path, init)
  const text = await response.text()
  const what = `${route.method} ${path} ${typeof init.body === 'string' ? init.body : ''}`
  // A permitted call can answer 400 or 422, because the example of an embedding has another length than the stored ones.
  const status = right === true && [400, 422].includes(response.status) ? 200 : response.status
  compare({ status, text }, oracle.status(right), what)
}

/** Returns true for calls that change data although they need only 'read': a saved search would be unknown to the oracle. */
const changesData = ({ method, path }: ProjectRoute) => method === 'POST' && path.endsWith('/saved-searches')

/** Compares the rows of a list with those that the user may read. */
async function read(walk: Walk): Promise<void> {
  const [who, kind] = [walk.choose(walk.people), walk.choose(Object.keys(READERS))]
  const { found, expected } = await READERS[kind]!(walk, who)
  same(`${kind} of ${who.userId}`, found, expected)
}

/**
 * Throws if an account received an event of a project that it never joined, or left more than five seconds before. Ignores
 * notices and deletions of projects.
 */
function checkEvents({ oracle, people }: Walk, { listeners, checked, left }: Observed): void {
  for (const [at, { received }] of listeners.entries()) {
    const who = people[at]!.userId
    for (const { event, data, at: time } of received.slice(checked[at])) {
      if (event === 'notice' || (event === 'project' && data.change === 'deleted')) continue
      const project = event === 'project' ? data.id : data.project_id
      if (project === null || oracle.right(who, project, 'read')) continue
      if (time > (left.get(`${who} ${project}`) ?? 0) + LAST_EVENT_MS)
        throw new Error(`${who} received an event of ${project}: ${JSON.stringify(data)}`)
    }
    checked[at] = received.length
  }
}
