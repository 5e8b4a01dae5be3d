import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { postMcp } from '#tests/helpers/mcp-client.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests limits of requests per hour and of concurrent requests, and the log of the account service. */

let server: TestServer
beforeAll(async () => {
  // No mail server listens at this address, because no e-mail of these tests has to arrive.
  server = await startServer({
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT: 'on',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'a@example.org',
      METRICS_TOKEN: 'of-prometheus',
    },
  })
})
afterAll(() => server.stop())

const MB = 1024 * 1024
/** Timeout of polls in ms. Even a busy machine processes the sent data in this time. */
const SOON = { timeout: 60_000 }
const JSON_TYPE = { 'content-type': 'application/json' }
const PASSWORD = 'correct horse battery'
let addresses = 0
/** Returns the headers of a request with a client address behind the proxy. The default address is new. */
const from = (ip = `198.51.100.${(addresses += 1)}`) => ({ 'x-forwarded-for': ip })
const post = (path: string, body: unknown, headers: Record<string, string> = from()) =>
  fetch(server.url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
/** Returns the status of a response, and whether it has a Retry-After header. */
const outcome = ({ status, headers }: Response) => [status, Number(headers.get('retry-after') ?? 0) > 0]

/** Creates a user with a confirmed e-mail address, whose requests have a new client address. */
async function newcomer(email = `${crypto.randomUUID()}@example.org`) {
  await post(api.signUp(), { email, password: PASSWORD })
  await inDatabase(server, 'update "user" set email_verified = true where email = $1', [email])
  const signedIn = await post(api.signIn(), { email, password: PASSWORD })
  const { user } = (await signedIn.json()) as { user: { id: string } }
  const token = signedIn.headers.get('set-auth-token')!
  const headers = { authorization: `Bearer ${token}`, ...from() }
  const call = (path: string, init: { method?: string; headers?: Record<string, string>; body?: BodyInit } = {}) =>
    fetch(server.url + path, { ...init, headers: { ...headers, ...init.headers } })
  return { email, userId: user.id, token, headers, fetch: call }
}
type Person = Awaited<ReturnType<typeof newcomer>>

/** Returns the key of a count in the table rate_limit. */
const keyOf = (limit: string, who: string) =>
  `${limit}:${createHash('sha256').update(who.toLowerCase()).digest('base64url')}`

const upload = async (person: Person, headers: Record<string, string> = {}) => {
  const body = new FormData()
  body.append('file', new File([onePagePdf(['x'])], 'x.pdf'))
  return outcome(await person.fetch(api.documents(), { method: 'POST', headers, body }))
}

describe('limits', () => {
  it('The limit of recovery e-mails counts each account, for any sender', async () => {
    const ask = (email: string, headers?: Record<string, string>) =>
      post(api.requestPasswordReset(), { email }, headers)
    const asked = await Promise.all(Array.from({ length: 5 }, () => ask('ada@example.org')))
    for (const one of asked) expect(outcome(one)).toEqual([200, false])
    expect(outcome(await ask(' ADA@example.org'))).toEqual([429, true])
    expect(outcome(await ask('bea@example.org'))).toEqual([200, false])
    // The limit also counts each client address, for any recipient.
    const here = from()
    await Promise.all(Array.from({ length: 12 }, (_, n) => ask(`unknown${n}@example.org`, here)))
    expect(outcome(await ask('carl@example.org', here))).toEqual([429, true])
    // A refused request adds no row for its e-mail address.
    const countsOfCarl = () =>
      inDatabase(server, 'select count from rate_limit where key = $1', [keyOf('recovery', 'carl@example.org')])
    expect(await countsOfCarl()).toEqual([])
    expect(outcome(await ask('carl@example.org'))).toEqual([200, false])
    expect(await countsOfCarl()).toEqual([{ count: 1 }])
  })

  it('The limit of sign-ups counts an hour from the first sign-up of an address', async () => {
    const here = from()
    const join = () => post(api.signUp(), { email: `${crypto.randomUUID()}@example.org`, password: PASSWORD }, here)
    const joinTen = () => Promise.all(Array.from({ length: 10 }, join))
    const later = () => inDatabase(server, 'update rate_limit set last_request = last_request - 40 * 60000')
    for (const one of await joinTen()) expect(outcome(one)).toEqual([200, false])
    await later()
    for (const one of await joinTen()) expect(outcome(one)).toEqual([200, false])
    expect(outcome(await join())).toEqual([429, true])
    await later()
    expect(outcome(await join())).toEqual([200, false])
  })

  it('The limit of recovery e-mails includes confirmation links that a sign-in requests', async () => {
    const email = 'bombed@example.org'
    await post(api.signUp(), { email, password: PASSWORD })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(api.signIn(), { email, password: PASSWORD })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 403))
    const messages = await Promise.all(
      answers.map(async (one) => ((await one.json()) as { error: { message: string } }).error.message),
    )
    const isSent = (message: string) => message.includes('a new link was sent')
    expect([messages.filter(isSent).length, messages.filter((one) => one.includes('the newest link')).length]).toEqual([
      5, 3,
    ])
    // The e-mail of the sign-up, and five more.
    const sent = () => inDatabase(server, 'select id from outbox where recipient = $1', [email])
    expect(await sent()).toHaveLength(6)
    // The limit includes e-mails after another sign-up with the address, which has the usual answer.
    expect(outcome(await post(api.signUp(), { email, password: PASSWORD }))).toEqual([200, false])
    expect(await sent()).toHaveLength(6)
    expect(outcome(await post(api.requestPasswordReset(), { email }))).toEqual([429, true])
  })

  it('The limit of invitations counts addresses, and the limit of e-mails with invitations counts each recipient', async () => {
    const ada = await newcomer()
    const send = async (path: string, body: object) =>
      ada.fetch(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
    const made = (await (await send(api.projects(), { name: 'Sleep' })).json()) as { data: { id: string } }
    const invite = (emails: string[]) => send(api.projectInvitations(made.data.id), { emails, role: 'viewer' })
    const isMailed = async (answer: Response) =>
      ((await answer.json()) as { data: { is_mailed: boolean }[] }).data.map(({ is_mailed }) => is_mailed)
    for (let count = 1; count <= 6; count += 1)
      expect(await isMailed(await invite(['x@example.org']))).toEqual([count <= 5])
    expect(await inDatabase(server, `select id from outbox where recipient = 'x@example.org'`)).toHaveLength(5)
    const others = Array.from({ length: 24 }, (_, at) => `a${at}@example.org`)
    expect(outcome(await invite(others))).toEqual([201, false])
    expect(outcome(await invite(['y@example.org']))).toEqual([429, true])
  })

  it('The limits of models, files and look-ups count the tools of the MCP server for all keys of a user (KEY-08)', async () => {
    const ada = await newcomer()
    const send = async (path: string, body: object) =>
      ada.fetch(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
    const { data: project } = (await (await send(api.projects(), { name: 'Sleep' })).json()) as { data: { id: string } }
    const addKey = () => send(api.keys(), { name: 'K', scopes: ['read', 'ask', 'write'], project_ids: null })
    const callTool = async (name: string, given: object) => {
      const { data } = (await (await addKey()).json()) as { data: { key: string } }
      const { body } = await postMcp(server.url, data.key, 'tools/call', { name, arguments: given })
      return JSON.stringify(body.result)
    }
    const usedUp = (limit: string, count: number) =>
      inDatabase(
        server,
        `insert into rate_limit (id, key, count, last_request) values ($1, $2, $3, $4)
         on conflict (key) do update set count = excluded.count`,
        [crypto.randomUUID(), keyOf(limit, ada.userId), count, Date.now()],
      )
    const project_id = project.id
    const file = { name: 'x.pdf', content: Buffer.from(onePagePdf(['x'])).toString('base64') }
    const cases = [
      ['ai', 60, 'ask_project', { project_id, question: 'Do naps help?' }, 'Too many requests to the model in a'],
      ['look-up', 120, 'add_papers', { project_id, identifiers: ['10.5555/naps'] }, 'Too many look-ups'],
      ['upload', 600, 'add_papers', { project_id, items: [{ title: 'Naps' }] }, 'Too many files in a short time'],
      ['upload', 600, 'add_papers', { project_id, files: [file] }, 'Too many files in a short time'],
    ] as const
    for (const [limit, most, tool, given, message] of cases) {
      await usedUp(limit, most)
      expect(await callTool(tool, given)).toContain(message)
    }
    await usedUp('new-key', 60)
    expect(outcome(await addKey())).toEqual([429, true])
  })

  it('The limit of files counts each user, and each address for all its users', async () => {
    const [one, two] = [await newcomer(), await newcomer()]
    // Hundreds of uploads would take long, so the test sets the count in the database.
    const setCount = (who: string, count: number) =>
      inDatabase(server, 'update rate_limit set count = $2 where key = $1', [keyOf('upload', who), count])
    expect(await upload(one)).toEqual([201, false])
    await setCount(one.userId, 599)
    expect(await upload(one)).toEqual([201, false])
    expect(await upload(one)).toEqual([429, true])
    expect(await upload(two)).toEqual([201, false])
    const institute = from('203.0.113.7')
    expect(await upload(two, institute)).toEqual([201, false])
    await setCount('203.0.113.7', 2400)
    expect(await upload(two, institute)).toEqual([429, true])
    expect(await upload(two)).toEqual([201, false])
  })
})

describe('concurrent requests', () => {
  /**
   * Starts a request and sends only the beginning of its body, so that the request stays open. Returns a function that aborts
   * the request.
   */
  function hold(person: Person, [method, path, headers, begins]: [string, string, Record<string, string>, string]) {
    const request = httpRequest(server.url + path, { method, headers: { ...person.headers, ...headers } })
    request.on('error', () => undefined)
    request.write(begins)
    return () => request.destroy()
  }
  const text = api.documentText(crypto.randomUUID())
  const holdText = (person: Person, megabytes: number) =>
    hold(person, ['PUT', text, { ...JSON_TYPE, 'content-length': String(megabytes * MB) }, '{'])
  /**
   * Waits until the server's metric of the bodies that it currently receives (their bytes, or the number of files) is `count`.
   */
  const seen = async (kind: 'bytes' | 'files', count: number) => {
    const figure = new RegExp(`lectern_sent_at_once\\{kind="${kind}"\\} (\\S+)`)
    const headers = { authorization: 'Bearer of-prometheus' }
    const read = async () => figure.exec(await (await fetch(`${server.url}/metrics`, { headers })).text())?.[1]
    await expect.poll(async () => Number(await read()), SOON).toBe(count)
  }
  const sendText = async (person: Person, megabytes: number) => {
    const body = JSON.stringify({ extracted_text: ' '.repeat(megabytes * MB - 100) })
    return outcome(await person.fetch(text, { method: 'PUT', headers: JSON_TYPE, body }))
  }

  it('Concurrent bodies are limited in memory: 429 for a heavy user, 503 when all users exceed the limit, and small calls work', async () => {
    const people = [await newcomer(), await newcomer(), await newcomer(), await newcomer()] as const
    const [one, two, three, four] = people
    const letGo = [holdText(one, 40)]
    await seen('bytes', 40 * MB)
    expect(await sendText(one, 30)).toEqual([429, true])
    expect((await sendText(two, 30))[0]).not.toBe(429)
    letGo.push(holdText(two, 60), holdText(three, 60))
    await seen('bytes', 160 * MB)
    expect(await sendText(four, 40)).toEqual([503, true])
    expect((await sendText(four, 1))[0]).not.toBe(503)
    for (const person of people) expect((await person.fetch(api.projects())).status).toBe(200)
    for (const end of letGo) end()
    await seen('bytes', 0)
    expect((await sendText(four, 40))[0]).not.toBe(503)
    expect((await sendText(one, 30))[0]).not.toBe(429)
  })

  it('Concurrent requests without a body are not limited', async () => {
    const eric = await newcomer()
    const deleteMissing = () => eric.fetch(api.document(crypto.randomUUID()), { method: 'DELETE' })
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await deleteMissing()).status))
    expect(new Set(statuses)).toEqual(new Set([404]))
  })

  it('Concurrent uploads are limited in number', async () => {
    const dora = await newcomer()
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000' }
    const begins = '--x\r\nContent-Disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n%PDF-1.7\n'
    const held = () => hold(dora, ['POST', api.documents(), headers, begins])
    const letGo = Array.from({ length: 30 }, held)
    await seen('files', 30)
    expect(await upload(dora)).toEqual([429, true])
    for (const end of letGo) end()
    await seen('files', 0)
    expect(await upload(dora)).toEqual([201, false])
  })
})

describe('the log of the account service', () => {
  it('The log of the account service names no user, also when the database fails', async () => {
    const eve = await newcomer('eve.private@example.org')
    await post(api.signIn(), { email: eve.email, password: 'a-wrong-password-1177' })
    await post(api.signIn(), { email: 'unknown.private@example.org', password: 'a-wrong-password-1177' })
    await post(api.signUp(), { email: eve.email, password: 'a-wrong-password-1177' })
    await post(api.requestPasswordReset(), { email: 'unknown.private@example.org' })
    await fetch(`${server.url}/auth/v1/verify-email?token=${eve.token}`, { redirect: 'manual' })
    for (const column of ['session.ip_address', '"user".image', 'account.scope', 'verification.value']) {
      const [table, name] = column.split('.')
      await inDatabase(server, `alter table ${table} rename column ${name} to gone`)
      await eve.fetch(api.session())
      await post(api.signIn(), { email: eve.email, password: PASSWORD })
      await post(api.signUp(), { email: 'new.private@example.org', password: 'a-wrong-password-1177' })
      await post(api.requestPasswordReset(), { email: eve.email })
      await post(api.resetPassword(), { token: 'a-token-of-an-e-mail', newPassword: 'a-wrong-password-1177' })
      await inDatabase(server, `alter table ${table} rename column gone to ${name}`)
    }
    expect((await eve.fetch(api.projects())).status).toBe(200)
    // The log has the reason and the statement of a failure.
    for (const words of ['User not found', 'Invalid password', 'ip_address'])
      await expect.poll(() => server.output()).toContain(words)
    const output = server.output()
    const hash = createHash('sha256').update(eve.token.split('.')[0]!).digest('hex')
    const secrets = ['private@example.org', 'wrong-password-1177', PASSWORD, 'token-of-a-letter', hash]
    for (const secret of [...secrets, ...eve.token.split('.')])
      expect([secret, output.includes(secret)]).toEqual([secret, false])
  })
})
