import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { below, seeded } from '#tests/helpers/random.ts'
import { watchMemory } from './send-file.ts'

/**
 * This file simulates many signed-in users who read, search, upload and chat at the same time, with pauses. No request may fail
 * except with 429 (too many requests), and the memory of the server must not grow continuously. Response times are only
 * printed, because the load runs on the same machine.
 */

/** Number of users. HOSTILE_PEOPLE overrides it; HOSTILE_MINUTES overrides the duration. */
const PEOPLE = Number(process.env['HOSTILE_PEOPLE'] ?? 200)
const MINUTES = Number(process.env['HOSTILE_MINUTES'] ?? 10)
const PAUSE_MS = [1_000, 6_000] as const
/** Maximum growth in MB of the peak of the server's memory after the first third of the test, in which caches fill. */
const GROWTH_MB = 400

const paper = new Uint8Array(readFileSync(new URL('../fixtures/paper.pdf', import.meta.url)))
let server: TestServer
const people: Person[] = []
interface Person {
  client: Client
  project: string
  document: string
}

const taken = new Map<string, number[]>()
const failures: string[] = []
let refusedForNow = 0

/**
 * Sends one request and records its duration. Counts a 429, and records every other error as a failure. Returns the response,
 * or null if it is not a success.
 */
async function timed(what: string, call: () => Promise<Response>): Promise<Response | null> {
  const began = performance.now()
  try {
    const response = await call()
    await response.clone().arrayBuffer()
    taken.set(what, [...(taken.get(what) ?? []), performance.now() - began])
    if (response.status === 429) refusedForNow += 1
    else if (!response.ok) failures.push(`${what}: ${response.status} ${(await response.text()).slice(0, 200)}`)
    return response.ok ? response : null
  } catch (error) {
    failures.push(`${what}: ${inspect(error)}`)
    return null
  }
}

const post = (client: Client, path: string, body: unknown) =>
  client.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

function upload(client: Client, project: string, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new File([bytes], 'small.pdf', { type: 'application/pdf' }))
  return client.fetch(api.documents(), { method: 'POST', body: form })
}

/** Performs a random action of a user, mostly a read. */
async function act({ client, project, document }: Person, random: () => number): Promise<void> {
  const choice = below(random, 100)
  const list = `${api.documents()}?project_id=${project}`
  if (choice < 35) await timed('list', () => client.fetch(list))
  else if (choice < 60) await timed('document', () => client.fetch(api.document(document)))
  else if (choice < 70) await timed('search', () => client.fetch(`${list}&search=walking%20sleep`))
  else if (choice < 80) await timed('file', () => client.fetch(api.documentFile(document)))
  else if (choice < 88) await timed('projects', () => client.fetch(api.projects()))
  else if (choice < 96)
    await timed('chat', () => post(client, api.documentChat(document), { question: 'Did sleep efficiency rise?' }))
  else {
    const made = await timed('upload', () => upload(client, project, onePagePdf([`Note ${below(random, 1e9)}`])))
    if (!made) return
    const { data } = (await made.json()) as { data: { id: string } }
    await timed('extract', () => post(client, api.documentExtract(data.id), { method: 'text' }))
  }
}

beforeAll(async () => {
  server = await startServer({ env: { RATE_LIMIT: 'off' } })
  for (let at = 0; at < PEOPLE; at++) {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Load' } })
    people.push({ client, project: data.id, document: '' })
  }
  // Some users have a whole paper, the others a page, so that the preparation does not take too long.
  for (const [at, person] of people.entries()) {
    const bytes =
      at % 10 === 0 ? paper : onePagePdf(['Evening walks and sleep', 'Sleep efficiency rose by four points.'])
    const file = new File([bytes], 'paper.pdf', { type: 'application/pdf' })
    const { id } = await person.client.upload(person.project, file)
    person.document = id
    for (const [path, body] of [
      [api.documentExtract(id), { method: 'text' }],
      [api.documentVectorize(id), {}],
    ] as const) {
      const { data } = await person.client.json<{ data: Job }>(path, { body })
      await person.client.job(data.id, 120_000)
    }
  }
}, 3600_000)
afterAll(() => server?.stop())

describe(`${PEOPLE} people for ${MINUTES} minutes`, () => {
  it('The server answers without an error, in constant memory', async () => {
    const until = Date.now() + MINUTES * 60_000
    const memory = watchMemory(server.pid)
    let early = 0
    const third = setTimeout(() => (early = memory.peakMb()), (MINUTES * 60_000) / 3)
    await Promise.all(
      people.map(async (person, at) => {
        const random = seeded(at + 1)
        while (Date.now() < until) {
          await pause(PAUSE_MS[0] + below(random, PAUSE_MS[1] - PAUSE_MS[0]))
          await act(person, random)
        }
      }),
    )
    clearTimeout(third)
    memory.stop()
    report(memory.peakMb(), early)
    expect(failures.slice(0, 20)).toEqual([])
    expect(memory.peakMb() - early).toBeLessThan(GROWTH_MB)
  })
})

function report(peak: number, early: number): void {
  const all = [...taken.values()].flat().toSorted((a, b) => a - b)
  const at = (values: number[], part: number) => Math.round(values[Math.floor(values.length * part)] ?? 0)
  console.log(
    `${all.length} calls, ${refusedForNow} refused for now, ${failures.length} failed; peak ${peak} MB (${early} MB after a third)`,
  )
  for (const [what, values] of [['all', all] as const, ...taken]) {
    const sorted = values.toSorted((a, b) => a - b)
    console.log(`${what}: ${sorted.length} calls, median ${at(sorted, 0.5)} ms, p99 ${at(sorted, 0.99)} ms`)
  }
}
