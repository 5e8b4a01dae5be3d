import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { api } from '#shared/contract/paths.ts'
import { setup as buildServer } from '#tests/helpers/programs.ts'
import { startS3Server } from '#tests/helpers/s3-server.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'
import { createDatabase } from '#tests/helpers/test-database.ts'
import { findLost, gather, type Person, work } from './crowd.ts'
import { fillLargely, LARGE } from './large-data.ts'
import { sendByAny, type Traffic } from './send-by-any.ts'

/**
 * This file is `npm run test:operations -- <minutes>`. Several servers share one PostgreSQL and one S3-compatible storage.
 * Users work at the same time, while a server is killed every minute. The test fails if a confirmed change is lost or a running
 * server responds with an error. It prints the response times but does not judge them. S3_ settings select a real storage, such
 * as Ceph; default: a small simulation on loopback.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    people: { type: 'string', default: '200' },
    servers: { type: 'string', default: '2,4' },
    'kill-seconds': { type: 'string', default: '60' },
    large: { type: 'string', default: '0' },
  },
})
const minutes = Number(positionals[0] ?? 10)
const people = Number(values.people)
const scale = Number(values.large)
const killMs = Number(values['kill-seconds']) * 1000
const S3_SETTINGS = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
const DOWN_MS = 5_000

const counts = values.servers.split(',').map(Number)
if (![minutes, people, killMs, ...counts].every((value) => value > 0) || !(scale >= 0))
  throw new Error('The minutes, people, servers and kill-seconds are positive numbers, and large is a number.')
console.log(
  `About ${Math.ceil(counts.length * (minutes + 5))} minutes: ${counts.join(', then ')} servers for ${minutes} minutes each`,
)
await buildServer()
const postgres = await givePostgres()
const failed: number[] = []
try {
  for (const count of counts) if (await operate(count)) failed.push(count)
} finally {
  await postgres.stop()
}
console.log(
  failed.length > 0
    ? `\nFAILED with ${failed.join(' and ')} servers`
    : '\nPASSED: nothing was lost, and every answer was right',
)
process.exit(failed.length > 0 ? 1 : 0)

/**
 * Starts a PostgreSQL server and sets TEST_DATABASE_URL to it. Uses the existing server if TEST_DATABASE_URL is already set.
 */
async function givePostgres(): Promise<{ stop: () => Promise<void> }> {
  const helper = new URL('../helpers/postgres.mjs', import.meta.url).href
  const { ensurePostgres } = (await import(helper)) as {
    ensurePostgres: () => Promise<{ url: string; stop: () => Promise<void> } | { skipped: string }>
  }
  const found = await ensurePostgres()
  if ('skipped' in found) throw new Error(found.skipped)
  process.env['TEST_DATABASE_URL'] = found.url
  return found
}

/** Runs the test with `count` servers. Returns whether it failed: a change was lost, or a response was wrong. */
async function operate(count: number): Promise<boolean> {
  const given = Object.fromEntries(S3_SETTINGS.map((name) => [name, process.env[name] ?? '']))
  const storage = given['S3_ENDPOINT'] ? { env: given, stop: async () => {} } : await startS3Server()
  const database = (await createDatabase())!
  const env = { ...storage.env, DATABASE_URL: database.url, AUTH_SECRET: randomBytes(32).toString('hex') }
  const servers: TestServer[] = []
  try {
    for (let at = 0; at < count; at += 1) servers.push(await startServer({ env }))
    const crowd = await gather(servers, people)
    if (scale > 0) {
      const began = performance.now()
      await fillLargely(database, crowd[0]!.project, scale)
      console.log(`${scale} × ${JSON.stringify(LARGE)} filled in ${Math.round((performance.now() - began) / 1000)} s`)
    }
    const traffic: Traffic = { taken: new Map(), refused: 0, broken: 0, failures: [] }
    console.log(`${count} servers: ${people} people begin`)
    const end = Date.now() + minutes * 60_000
    const progress = setInterval(() => console.log(describeProgress(traffic, end)), 60_000)
    const [kills] = await Promise.all([
      killOften(servers, traffic, end),
      work(crowd, servers, traffic, end),
      scale > 0 ? readLargely(crowd[0]!, servers, traffic, end) : null,
    ]).finally(() => clearInterval(progress))
    console.log('Every confirmed change is checked')
    const lost = (
      await Promise.all(crowd.map((person) => findLost(person).catch((error: unknown) => [String(error)])))
    ).flat()
    print(count, kills, traffic, crowd, lost)
    return lost.length > 0 || traffic.failures.length > 0
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await storage.stop()
    await database.drop()
  }
}

function describeProgress({ taken, refused, broken, failures }: Traffic, end: number): string {
  return (
    `${Math.max(0, Math.round((end - Date.now()) / 60_000))} minutes left: ${[...taken.values()].flat().length} answers, ` +
    `${refused} refused and ${broken} broken connections, ${failures.length} failures`
  )
}

/**
 * Kills one server after another until the time `end` (ms since 1970), and restarts each killed server after some seconds.
 * Returns the number of kills.
 */
async function killOften(servers: readonly TestServer[], traffic: Traffic, end: number): Promise<number> {
  let kills = 0
  while (Date.now() + killMs < end) {
    await pause(killMs)
    const server = servers[kills % servers.length]!
    await server.kill('SIGKILL')
    kills += 1
    await pause(DOWN_MS)
    await server.restart().catch((error: unknown) => traffic.failures.push(`start after a kill: ${String(error)}`))
  }
  return kills
}

/** Requests the lists that contain the large data, one after another, until the time `end` (ms since 1970). */
async function readLargely(person: Person, servers: readonly TestServer[], traffic: Traffic, end: number) {
  const own = { ...person }
  const { project } = person
  const lists = {
    'journals, page': api.journals({ limit: 20 }),
    'journals, search': api.journals({ search: 'study 77' }),
    'articles, page': api.feedArticles({ project_id: project, page: 1, limit: 20 }),
    'articles, page 100': api.feedArticles({ project_id: project, page: 100, limit: 20 }),
    'papers, page': api.documents({ project_id: project, page: 50 }),
    'papers, search': api.documents({ project_id: project, search: 'participants' }),
  }
  while (Date.now() < end)
    for (const [what, path] of Object.entries(lists)) await sendByAny(servers, own, traffic, `large: ${what}`, path)
}

function print(count: number, kills: number, traffic: Traffic, crowd: readonly Person[], lost: readonly string[]) {
  const all = [...traffic.taken.values()].flat()
  const of = (part: number, taken: readonly number[]) =>
    Math.round(taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * part) - 1] ?? 0)
  const total = (pick: (person: Person) => number) => crowd.reduce((sum, person) => sum + pick(person), 0)
  console.log(`\n${count} servers, ${people} people, ${minutes} minutes, ${kills} × kill -9`)
  console.log('| request | number | p50 ms | p99 ms |\n| --- | --- | --- | --- |')
  for (const [what, taken] of [...traffic.taken, ['all', all] as const])
    console.log(`| ${what} | ${taken.length} | ${of(0.5, taken)} | ${of(0.99, taken)} |`)
  console.log(
    `${(all.length / minutes / 60).toFixed(1)} requests/s; ${traffic.refused} refused and ${traffic.broken} broken connections`,
  )
  const [files, titles, jobs] = (['files', 'titles', 'jobs'] as const).map((key) =>
    total(({ confirmed }) => confirmed[key].size),
  )
  console.log(`confirmed: ${files} files, ${titles} titles, ${jobs} jobs; lost: ${lost.length}`)
  for (const line of [...lost, ...traffic.failures].slice(0, 20)) console.log(`✗ ${line}`)
}
