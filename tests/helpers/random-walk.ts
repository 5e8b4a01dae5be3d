import { api } from '#shared/contract/paths.ts'
import { below, seeded } from '#tests/helpers/random.ts'
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
/** Maximum number of documents. It is small enough that each list has only one page. */
const MOST_DOCUMENTS = 40
/** Minimum number of documents. With fewer documents, the walk uploads a document and deletes none. */
const FEW_DOCUMENTS = 3
/** Maximum time in which a removed member can still receive events of the project (SHR-31). */
const LAST_EVENT_MS = 5000
const pdf = onePagePdf(['Naps helped older adults.'])
const paper = () => new File([pdf], 'paper.pdf', { type: 'application/pdf' })

export interface Walk {
  oracle: SharingOracle
  people: Client[]
  /** The document of each job, by job id. */
  jobs: Map<string, string>
  /** The ids of the objects that `insertObjects` created, by project id. */
  objects: Map<string, FixedObjects>
  /** Returns a random element of a list, which must not be empty. */
  choose: <T>(list: readonly T[]) => T
}
interface Observed {
  server: SharedServer
  routes: ProjectRoute[]
  listeners: EventListener[]
  /** For each listener, the number of its events that have been checked. */
  checked: number[]
  /** The time (ms) at which a removed member left a project. The key is '<account id> <project id>'. */
  left: Map<string, number>
}

/** The functions of the random actions, by kind of action. */
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
 * Performs `actions` random actions of five users in three projects, and compares every response with the expected response of
 * the oracle, a simple model of the access rules. Throws at the first difference; the message has the seed and the number of
 * the action. Returns the number of actions of each kind.
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

/** Signs up the users. Creates a project for each of the first three users, and a vectorized document in each project. */
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

/** Throws unless the status of a response is the expected status. Every status below 300 counts as 200. */
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

/**
 * Moves a document, or all documents of a project. The target is a project, or null: the caller's documents without a project.
 */
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

/** Calls a route of a project or a document. Skips a call that would be permitted and would change data. */
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

/**
 * Returns whether a route changes data although it needs only the right 'read': saving a search, which the oracle would not
 * record.
 */
const changesData = ({ method, path }: ProjectRoute) => method === 'POST' && path.endsWith('/saved-searches')

/** Reads a random list as a random user, and compares its rows with the rows that the oracle permits. */
async function read(walk: Walk): Promise<void> {
  const [who, kind] = [walk.choose(walk.people), walk.choose(Object.keys(READERS))]
  const { found, expected } = await READERS[kind]!(walk, who)
  same(`${kind} of ${who.userId}`, found, expected)
}

/**
 * Throws if a user received an event of a project without being a member: the user never joined, or left more than five seconds
 * before. Ignores notices and the deletion of projects.
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
