import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { below, seeded } from '#tests/helpers/random.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, type TestServer } from '#tests/helpers/server.ts'
import { sendByAny, type Sent, type Traffic } from './send-by-any.ts'

/** Shortest and longest pause in ms between two actions of a simulated user. */
const PAUSE_MS = [1_000, 6_000] as const
const PREPARED_AT_ONCE = 4

/** The changes of a user that a server has confirmed. They must survive every kill of a server. */
interface Confirmed {
  /** SHA-256 of each uploaded file, by document id. */
  files: Map<string, string>
  /**
   * The last confirmed title by document id. null: a later change got no response because the connection ended, so the stored
   * title is unknown.
   */
  titles: Map<string, string | null>
  jobs: Set<string>
}

/**
 * A simulated user with a project. `home`: the index of the server that the user currently uses. It changes if the server does
 * not respond.
 */
export interface Person {
  client: Client
  project: string
  documents: string[]
  home: number
  confirmed: Confirmed
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Signs up `count` users, each with a project that contains a vectorized paper of one page. */
export async function gather(servers: readonly TestServer[], count: number): Promise<Person[]> {
  const people: Person[] = []
  let next = 0
  const prepare = async () => {
    for (let at = next++; at < count; at = next++) {
      const client = await signUp(servers[at % servers.length]!.url)
      const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Operations' } })
      const bytes = onePagePdf([`Paper ${at} on evening walks`, 'Sleep efficiency rose by four points.'])
      const file = new File([bytes], 'paper.pdf', { type: 'application/pdf' })
      const { id } = await client.upload(data.id, file)
      for (const [path, body] of [
        [api.documentExtract(id), { method: 'text' }],
        [api.documentVectorize(id), {}],
      ] as const) {
        const started = await client.json<{ data: Job }>(path, { body })
        const ended = await client.job(started.data.id, 300_000)
        if (ended.status !== 'completed') throw new Error(`${path}: ${ended.error}`)
      }
      people[at] = {
        client,
        project: data.id,
        documents: [id],
        home: at % servers.length,
        confirmed: { files: new Map([[id, sha256(bytes)]]), titles: new Map(), jobs: new Set() },
      }
    }
  }
  await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, prepare))
  return people
}

/** Lets the users perform random actions, mostly reads, until the time `end` (ms since 1970). */
export async function work(people: readonly Person[], servers: readonly TestServer[], traffic: Traffic, end: number) {
  await Promise.all(
    people.map(async (person, at) => {
      const random = seeded(at + 1)
      while (Date.now() < end) {
        await pause(PAUSE_MS[0] + below(random, PAUSE_MS[1] - PAUSE_MS[0]))
        await act(person, random, (what, path, init) => sendByAny(servers, person, traffic, what, path, init))
      }
    }),
  )
}

type Send = (what: string, path: string, init?: RequestInit) => Promise<Sent>

async function act(person: Person, random: () => number, send: Send) {
  const choice = below(random, 100)
  const { project, documents } = person
  const document = documents[below(random, documents.length)]!
  if (choice < 30) await send('list', api.documents({ project_id: project }))
  else if (choice < 52) await send('document', api.document(document))
  else if (choice < 62) await send('search', api.documents({ project_id: project, search: 'walking sleep' }))
  else if (choice < 72) await send('file', api.documentFile(document))
  else if (choice < 80) await send('projects', api.projects())
  else if (choice < 88)
    await send('question', api.documentChat(documents[0]!), json('POST', { question: 'Did sleep efficiency rise?' }))
  else if (choice < 94) await rename(person, document, `Title ${below(random, 1e9)}`, send)
  else await upload(person, onePagePdf([`Note ${below(random, 1e9)}`]), send)
}

async function rename({ confirmed }: Person, document: string, title: string, send: Send) {
  const { response, unclear } = await send('edit', api.document(document), json('PATCH', { title }))
  if (response?.ok) confirmed.titles.set(document, title)
  else if (unclear) confirmed.titles.set(document, null)
}

async function upload({ project, documents, confirmed }: Person, bytes: Uint8Array<ArrayBuffer>, send: Send) {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new File([bytes], 'note.pdf', { type: 'application/pdf' }))
  const { response } = await send('upload', api.documents(), { method: 'POST', body: form })
  if (!response?.ok) return
  const { id } = ((await response.json()) as { data: { id: string } }).data
  documents.push(id)
  confirmed.files.set(id, sha256(bytes))
  const started = await send('extract', api.documentExtract(id), json('POST', { method: 'text' }))
  if (started.response?.ok) confirmed.jobs.add(((await started.response.json()) as { data: Job }).data.id)
}

/**
 * Checks the confirmed changes of a user. Returns one line for each file, title or job that is missing or different. All
 * servers must be running.
 */
export async function findLost({ client, confirmed }: Person): Promise<string[]> {
  const lost: string[] = []
  for (const [id, hash] of confirmed.files) {
    const response = await client.fetch(api.documentFile(id))
    if (!response.ok) lost.push(`file of ${id}: ${response.status}`)
    else if (sha256(new Uint8Array(await response.arrayBuffer())) !== hash) lost.push(`file of ${id}: other bytes`)
  }
  for (const [id, title] of confirmed.titles) {
    const { data } = await client.json<{ data: DocumentDetail }>(api.document(id))
    if (title !== null && data.title !== title) lost.push(`title of ${id}: ${data.title} instead of ${title}`)
  }
  for (const id of confirmed.jobs) {
    const { status, error } = await client.job(id, 300_000)
    if (status !== 'completed') lost.push(`job ${id}: ${status} ${error}`)
  }
  return lost
}
