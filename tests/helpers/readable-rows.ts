import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Client } from './client.ts'
import type { Walk } from './random-walk.ts'
import { conversationsOf } from './walk-objects.ts'

/** The rows that a user has read, and the rows that the oracle permits. A row is represented by a text, usually its id. */
interface Rows {
  found: string[]
  expected: string[]
}
interface Row {
  id: string
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)
const list = async <T extends Row>(who: Client, path: string) => (await who.json<{ data: T[] }>(path)).data
/** Returns the rows of a list of a project. Returns [] if the response is 404, as for a user who is not a member. */
async function listIfMember(who: Client, path: string): Promise<Row[]> {
  const response = await who.fetch(path)
  return response.status === 404 ? [] : ((await response.json()) as { data: Row[] }).data
}
/** Maximum number of runs that a list returns. Only the newest runs are compared with the oracle. */
const NEWEST = 50

/**
 * Functions by name that read data as a user. Each returns the rows of the response, and the rows that the oracle permits.
 */
export const READERS: Record<string, (walk: Walk, who: Client) => Promise<Rows>> = {
  'the projects': async ({ oracle }, who) => ({
    found: (await list<Project>(who, api.projects())).map(({ id, may }) => `${id} ${may.join(' ')}`),
    expected: oracle.projectsOf(who.userId).map((id) => `${id} ${oracle.rightsIn(who.userId, id)}`),
  }),
  'the documents': async ({ oracle }, who) => ({
    found: idsOf(await list(who, api.documents({ limit: 50 }))),
    expected: idsOf(oracle.documentsOf(who.userId, 'read', false)),
  }),
  'a search in all projects': async ({ oracle }, who) => ({
    found: idsOf(await list(who, api.documents({ limit: 50, search: 'paper' }))),
    expected: idsOf(oracle.documentsOf(who.userId, 'read', false)),
  }),
  'the trash': async ({ oracle }, who) => ({
    found: idsOf((await who.json<{ data: { documents: Row[] } }>(api.trash({ limit: 100 }))).data.documents),
    expected: idsOf(oracle.documentsOf(who.userId, 'edit', true)),
  }),
  'the tags': async ({ oracle }, who) => ({
    found: (await list<Row & { name: string }>(who, api.tags())).map(({ name }) => name),
    expected: oracle.projectsOf(who.userId).map((id) => oracle.projects.get(id)!.tag),
  }),
  'the members of a project': async ({ oracle, choose }, who) => {
    const project = choose([...oracle.projects.keys()])
    const response = await who.fetch(api.projectMembers(project))
    const { data = [] } = (await response.json()) as { data?: { user_id: string; role: string }[] }
    const { roles } = oracle.projects.get(project)!
    return {
      found: data.map(({ user_id, role }) => `${user_id} ${role}`),
      expected: oracle.right(who.userId, project, 'read') ? [...roles].map((one) => one.join(' ')) : [],
    }
  },
  'the own jobs': async ({ oracle, jobs }, who) => {
    const found = idsOf(await list<Job>(who, api.jobs({ limit: 50 })))
    const readable = new Set(idsOf(oracle.documentsOf(who.userId, 'read', false)))
    return { found: found.filter((id) => jobs.has(id) && !readable.has(jobs.get(id)!)), expected: [] }
  },
  'the jobs of a document': async ({ oracle, jobs, choose }, who) => {
    const [job, id] = choose([...jobs])
    const readable = new Set(idsOf(oracle.documentsOf(who.userId, 'read', false)))
    const found = idsOf(await list<Job>(who, api.jobs({ document_id: id })))
    return { found: found.filter((one) => jobs.has(one)), expected: readable.has(id) ? [job] : [] }
  },
  'a job': async ({ oracle, jobs, choose }, who) => {
    const [job, id] = choose([...jobs])
    const one = oracle.documents.get(id)
    const isVisible = one && !one.isDeleted && oracle.rightInDocument(who.userId, one, 'read')
    return { found: [String((await who.fetch(api.job(job))).status)], expected: [isVisible ? '200' : '404'] }
  },
  'the documents of the same file': async ({ oracle, choose }, who) => {
    const one = choose([...oracle.documents.values()])
    const bytes = await who.fetch(api.documentFile(one.id))
    const isVisible = !one.isDeleted && oracle.rightInDocument(who.userId, one, 'read')
    if (!isVisible) return { found: [String(bytes.status)], expected: ['404'] }
    const hash = createHash('sha256')
      .update(new Uint8Array(await bytes.arrayBuffer()))
      .digest('hex')
    const found = idsOf(await list(who, api.documentsSameFile(hash)))
    const readable = new Set(idsOf(oracle.documentsOf(who.userId, 'read', false)))
    return { found: found.filter((id) => !readable.has(id)), expected: [] }
  },
  'the conversations of a project': async (walk, who) => {
    const project = walk.choose([...walk.oracle.projects.keys()])
    return {
      found: idsOf(await listIfMember(who, api.conversations(project, { limit: 50 }))),
      expected: idsOf(conversationsOf(walk, who.userId, project)),
    }
  },
  'the runs of a project': async ({ oracle, choose }, who) => {
    const project = choose([...oracle.projects.keys()])
    const own = [...oracle.runs].filter(([, run]) => run.project === project && oracle.seesRun(who.userId, run))
    return {
      found: idsOf(await listIfMember(who, api.runs(project, { limit: NEWEST, kind: 'library_answer' }))),
      expected: own.map(([id]) => id).slice(-NEWEST),
    }
  },
  'the saved searches of a project': async ({ oracle, choose }, who) => {
    const project = choose([...oracle.projects.keys()])
    const own = [...oracle.searches].filter(([, one]) => one.project === project && one.user === who.userId)
    return {
      found: idsOf(await listIfMember(who, api.savedSearches(project))),
      expected: oracle.right(who.userId, project, 'read') ? own.map(([id]) => id) : [],
    }
  },
  'the libraries of Zotero of a project': async ({ oracle, objects, choose }, who) => {
    const project = choose([...oracle.projects.keys()])
    return {
      found: idsOf(await listIfMember(who, api.zoteroImports({ project_id: project }))),
      expected: oracle.right(who.userId, project, 'read') ? [objects.get(project)!.library] : [],
    }
  },
  'the archive of the account': async ({ oracle }, who) => {
    const files = unzipSync(new Uint8Array(await (await who.fetch(api.accountExport())).arrayBuffer()))
    const rows = (name: string) => JSON.parse(new TextDecoder().decode(files[name])) as Row[]
    const documents = [true, false].flatMap((isDeleted) => oracle.documentsOf(who.userId, 'read', isDeleted))
    const conversations = [...oracle.conversations.values()].filter((one) => oracle.seesConversation(who.userId, one))
    const own = [
      ...documents.filter((one) => one.creator === who.userId),
      ...conversations.filter((one) => one.author === who.userId),
    ]
    return { found: [...idsOf(rows('documents.json')), ...idsOf(rows('conversations.json'))], expected: idsOf(own) }
  },
}
