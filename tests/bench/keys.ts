import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { newKey, postMcp } from '#tests/helpers/mcp-client.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { residentMb } from './process-figures.ts'
import { median, type BenchRow } from './report.ts'

const CALLS = Number(process.env['BENCH_CALLS'] ?? 10_000)
const AT_ONCE = 100
const KEYS_OF_USER = 5
const RUNS = 200
const LIMIT = 120
/** Number of calls before memory is measured. After these calls, compiled code and caches do not grow further. */
const WARM = 2_000

/**
 * Measures the time to check an API key, tools of the MCP server in comparison with a route of the API, and 10,000 calls with
 * ten keys of two users who share a project. Throws if a call returns a row that only the other user may read.
 */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer()
  try {
    const users = [await signUp(server.url), await signUp(server.url)] as const
    const library = await fill(server, users)
    return [
      ...(await measureTools(server, users[0], library)),
      ...(await measureMany(server, users, library)),
      await measureLimit(),
    ]
  } finally {
    await server.stop()
  }
}

interface Library {
  projects: [string, string]
  papers: [string, string]
  shared: string
}

/** Creates a project with a paper for each user, and a project that both users share. */
async function fill(server: TestServer, users: readonly [Client, Client]): Promise<Library> {
  const project = async (user: Client, name: string) =>
    (await user.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
  const projects: [string, string] = [await project(users[0], 'First'), await project(users[1], 'Second')]
  const shared = await project(users[0], 'Shared')
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    shared,
    users[1].userId,
  ])
  const papers: string[] = []
  for (const [index, user] of users.entries()) {
    const text = Array.from({ length: 20 }, (_, page) => `[Page ${page + 1}]\n${SENTENCE.repeat(20)}`).join('\n\n')
    const [row] = await inDatabase(
      server,
      `insert into documents (created_by, project_id, filename, title, extracted_text, text_version, status)
        values ($1, $2, 'a.pdf', $3, $4, 1, 'completed') returning id`,
      [
        user.userId,
        projects[index],
        SECRETS[index],
        `${text}\n\n[Page 21]\n${SECRETS[index]} improved recall of word pairs.`,
      ],
    )
    papers.push(String(row!['id']))
  }
  return { projects, shared, papers: papers as [string, string] }
}

const SENTENCE = 'The nap group remembered more word pairs than the control group did after one week. '
/** The titles of the two users' papers. Each title may be visible to one user only. */
const SECRETS = ['Quiet naps of Ada', 'Quiet walks of Eve'] as const

async function measureTools(server: TestServer, user: Client, { papers }: Library): Promise<BenchRow[]> {
  const key = await newKey(user)
  const post =
    (method: string, params = {}) =>
    () =>
      postMcp(server.url, key, method, params)
  const tool = (name: string, given: object) => post('tools/call', { name, arguments: given })
  const route = (authorization: string) => () =>
    fetch(server.url + api.projects(), { headers: { authorization } }).then((answer) => answer.text())
  const quote = { document_id: papers[0], quote: 'Quiet naps of Ada improved recall' }
  const [withKey, withSession, ping, list, projects, verify] = await interleaved([
    route(`Bearer ${key}`),
    route(`Bearer ${user.token}`),
    post('ping'),
    post('tools/list'),
    tool('list_projects', {}),
    tool('verify_quote', quote),
  ])
  const row = (what: string, value: number, peer: string, aim: string): BenchRow => ({
    what,
    measured: `${value.toFixed(1)} ms`,
    peer,
    ratio: '',
    aim,
    note: `medians of ${RUNS} calls over HTTP, interleaved`,
  })
  return [
    row(
      'check of an API key, GET /api/projects',
      withKey!,
      `the same with a session: ${withSession!.toFixed(1)} ms`,
      '≤ 1 ms more',
    ),
    row('MCP ping', ping!, '', '≤ 30 ms'),
    row('MCP tools/list', list!, '', '≤ 30 ms'),
    row('MCP list_projects', projects!, `GET /api/projects: ${withKey!.toFixed(1)} ms`, '≤ 30 ms more'),
    row('MCP verify_quote, a paper of 21 pages', verify!, '', '≤ 30 ms'),
  ]
}

/** Runs the calls alternately, and returns the median time of each call in ms. */
async function interleaved(calls: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const taken: number[][] = calls.map(() => [])
  for (let run = 0; run < RUNS; run++)
    for (const [index, call] of calls.entries()) {
      const from = performance.now()
      await call()
      taken[index]!.push(performance.now() - from)
    }
  return taken.map(median)
}

async function measureMany(
  server: TestServer,
  users: readonly [Client, Client],
  { projects, papers, shared }: Library,
): Promise<BenchRow[]> {
  const keys: { key: string; user: number }[] = []
  for (let n = 0; n < KEYS_OF_USER; n++)
    for (const [index, user] of users.entries()) keys.push({ key: await newKey(user), user: index })
  let seed = Number(process.env['WALK_SEED'] ?? 7)
  const random = <T>(list: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647
    return list[seed % list.length]!
  }
  const all = [...projects, shared]
  const calls: (() => [string, object])[] = [
    () => ['list_projects', {}],
    () => ['search_papers', { project_id: random(all), query: random(['quiet', 'naps', '']) }],
    () => ['search_papers', { query: random(['quiet', 'walks', '']) }],
    () => ['get_paper', { document_id: random(papers) }],
    () => ['get_paper_text', { document_id: random(papers), pages: '21' }],
    () => ['verify_quote', { document_id: random(papers), quote: 'improved recall' }],
    () => ['verify_quote', { project_id: random(all), quote: 'improved recall of word pairs' }],
    () => ['format_citations', { document_ids: [random(papers)] }],
  ]
  const taken: number[] = []
  const one = async () => {
    const { key, user } = random(keys)
    const [name, given] = random(calls)()
    const from = performance.now()
    const { body } = await postMcp(server.url, key, 'tools/call', { name, arguments: given })
    taken.push(performance.now() - from)
    const answer = JSON.stringify(body)
    if (answer.includes(SECRETS[1 - user]!)) throw new Error(`${name} returned a row of the other user: ${answer}`)
  }
  const many = async (count: number) => {
    let left = count
    const work = async () => {
      while (left-- > 0) await one()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  await many(WARM)
  const before = residentMb(server.pid)
  taken.length = 0
  const from = performance.now()
  await many(CALLS)
  const seconds = (performance.now() - from) / 1000
  const after = residentMb(server.pid)
  const p95 = taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.95) - 1]!
  return [
    {
      what: `${CALLS.toLocaleString('en')} random MCP calls of two users with overlapping projects, ${AT_ONCE} at once by ${keys.length} keys`,
      measured: `p95 ${p95.toFixed(0)} ms, ${(CALLS / seconds).toFixed(0)} calls/s, no row of the other user`,
      peer: '',
      ratio: '',
      aim: 'p95 ≤ 500 ms',
    },
    {
      what: 'memory of the server after these calls',
      measured: `${after.toFixed(0)} MB`,
      peer: `before: ${before.toFixed(0)} MB`,
      ratio: (after / before).toFixed(2),
      aim: 'no growth',
      note: `before: after ${WARM.toLocaleString('en')} calls`,
    },
  ]
}

/** Measures the rate limit: sends at once twice as many calls with one key as the key's limit permits in a minute. */
async function measureLimit(): Promise<BenchRow> {
  const server = await startServer({ env: { RATE_LIMIT: 'on' } })
  try {
    const key = await newKey(await signUp(server.url))
    const statuses = await Promise.all(
      Array.from({ length: 2 * LIMIT }, () => postMcp(server.url, key, 'ping').then(({ response }) => response.status)),
    )
    return {
      what: `${2 * LIMIT} MCP calls at once with one key, limit ${LIMIT} a minute`,
      measured: `${statuses.filter((status) => status === 200).length} answered, ${statuses.filter((status) => status === 429).length} refused with 429`,
      peer: '',
      ratio: '',
      aim: `${LIMIT} answered (up to twice that at the end of a minute)`,
    }
  } finally {
    await server.stop()
  }
}
