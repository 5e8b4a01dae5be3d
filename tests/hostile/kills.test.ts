import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Trash } from '#shared/contract/trash.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { below, seeded } from '#tests/helpers/random.ts'

/**
 * This file kills the server with SIGKILL at random moments while users work. After the restart, all acknowledged data must
 * exist, no document may stay in processing, and every file must belong to a row.
 */

/** Number of kills. HOSTILE_KILLS overrides it; HOSTILE_SEED selects other random moments. */
const ROUNDS = Number(process.env['HOSTILE_KILLS'] ?? 100)
const random = seeded(Number(process.env['HOSTILE_SEED'] ?? 1))
const PEOPLE = 3
const FULL_CHECK_EVERY = 10

interface Kept {
  owner: Client
  id: string
  title: string
  bytes: Uint8Array
}

let server: TestServer
const people: { client: Client; project: string }[] = []
const kept = new Map<string, Kept>()
/** The documents whose deletion the server has acknowledged. Key: document id. Value: the client of the user who deleted it. */
const deletedDocuments = new Map<string, Client>()

beforeAll(async () => {
  server = await startServer()
  for (let at = 0; at < PEOPLE; at++) {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Killed' } })
    people.push({ client, project: data.id })
  }
})
afterAll(() => server?.stop())

/**
 * Acts as one user until the server is killed: uploads, changes, processes and deletes documents. Records only results that the
 * server has acknowledged.
 */
async function workUntilKilled({ client, project }: (typeof people)[number], round: number): Promise<void> {
  try {
    for (let turn = 0; ; turn++) {
      const title = `Round ${round}, turn ${turn}, ${below(random, 1e9)}`
      const bytes = onePagePdf([title, 'A sentence that says little.'])
      const { id } = await client.upload(project, new File([bytes], `${title}.pdf`, { type: 'application/pdf' }))
      kept.set(id, { owner: client, id, title: '', bytes })
      await client.json(api.document(id), { method: 'PATCH', body: { title } })
      kept.get(id)!.title = title
      for (const [path, body] of [
        [api.documentExtract(id), { method: 'text' }],
        [api.documentAnalyze(id), {}],
      ] as const) {
        const { data } = await client.json<{ data: Job }>(path, { body })
        await client.job(data.id)
      }
      if (below(random, 4) > 0) continue
      // The state of the document is unknown until the answer arrives.
      kept.delete(id)
      await client.json(api.document(id), { method: 'DELETE' })
      deletedDocuments.set(id, client)
    }
  } catch (error) {
    // A broken connection is the result of a kill; an error response of the server is not.
    const words = error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)
    if (/answered|expect/.test(words)) throw error
  }
}

async function checkKept(some: readonly Kept[]): Promise<void> {
  for (const { owner, id, title, bytes } of some) {
    const { data } = await owner.json<{ data: DocumentDetail }>(api.document(id))
    // An analysis replaces the title by the first line of the page, which begins with the title.
    if (title !== '') expect(data.title?.startsWith(title)).toBe(true)
    const file = Buffer.from(await (await owner.fetch(api.documentFile(id))).arrayBuffer())
    expect(Buffer.compare(file, Buffer.from(bytes))).toBe(0)
  }
}

/** Waits until no document is being processed. The time limit allows for the time in which the server detects a lost job. */
async function untilNothingRuns(): Promise<void> {
  await expect
    .poll(
      async () => {
        const busy = await Promise.all(
          people.map(async ({ client, project }) => {
            const path = `${api.documents()}?project_id=${project}&status=processing&limit=1`
            return (await client.json<{ count: number }>(path)).count
          }),
        )
        return busy.reduce((sum, count) => sum + count, 0)
      },
      { timeout: 180_000, interval: 2_000 },
    )
    .toBe(0)
}

describe(`kill -9 under load, ${ROUNDS} rounds`, () => {
  it('A killed server loses no acknowledged write, and leaves no document stuck and no file without a row', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const work = Promise.all(people.map((person) => workUntilKilled(person, round)))
      await pause(200 + below(random, 2_000))
      await server.kill('SIGKILL')
      await work
      await server.restart()
      await checkKept([...kept.values()].slice(-3 * PEOPLE))
      for (const [id, client] of deletedDocuments) expect((await client.fetch(api.document(id))).status).toBe(404)
      deletedDocuments.clear()
      if (round % FULL_CHECK_EVERY === 0 || round === ROUNDS) {
        await untilNothingRuns()
        await checkKept([...kept.values()])
        console.log(`${round} rounds, ${kept.size} documents`)
      }
    }
    // The responses of some uploads were lost. Their documents count as rows, and their files belong to them.
    let rows = 0
    for (const { client, project } of people)
      rows += (await client.json<{ count: number }>(`${api.documents()}?project_id=${project}&limit=1`)).count
    expect(rows).toBeGreaterThanOrEqual(kept.size)
    // The file of a deleted document remains for thirty days.
    for (const { client } of people) rows += (await client.json<{ data: Trash }>(api.trash())).data.document_count
    // A file without a row is removed after an hour if another process could still store it.
    if (server.databaseUrl) await inDatabase(server, `update removed_files set due_at = now()`)
    await expect.poll(() => countFiles(), { timeout: 150_000, interval: 5_000 }).toBe(rows)
  })
})

const countFiles = async () => {
  const names = await readdir(join(server.dataDir, 'files', 'documents'), { recursive: true })
  return names.filter((name) => name.endsWith('.pdf')).length
}
