import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, createDatabase, signIn, startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'

const ADDRESS = 'ada@example.org'
const PASSWORD = 'correct horse battery'

/** Two servers share one PostgreSQL database, and both can send e-mail. */
describe.skipIf(!process.env['TEST_DATABASE_URL'])('two servers with e-mail (needs a PostgreSQL server)', () => {
  const stops: (() => Promise<unknown>)[] = []
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>
  let start: () => Promise<TestServer>
  let one: TestServer
  let ada: Client
  let project: string

  beforeAll(async () => {
    const database = (await createDatabase())!
    const dataDir = await mkdtemp(join(tmpdir(), 'lectern-test-'))
    smtp = await startSmtpServer()
    stops.push(database.drop, () => rm(dataDir, { recursive: true, force: true }), smtp.stop)
    const env = { DATABASE_URL: database.url, SMTP_URL: smtp.url, MAIL_FROM: 'room@example.org' }
    start = async () => {
      const server = await startServer({ dataDir, env })
      stops.push(server.stop)
      return server
    }
    one = await start()
    await post(api.signUp(), { name: 'Ada', email: ADDRESS, password: PASSWORD })
    const token = new URL(linkIn(await smtp.mailTo(ADDRESS))).searchParams.get('token')
    await post(api.verifyEmail(), { token, password: PASSWORD })
    ada = await signIn(one.url, { email: ADDRESS, password: PASSWORD })
    project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Shared' } })).data.id
  }, 300_000)
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  const post = (path: string, body: object) =>
    fetch(one.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const upload = async (name: string) =>
    (await ada.upload(project, new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' }))).id
  const process = async (client: Client, document_ids: string[]) => {
    const body = { document_ids, steps: ['extract'], force: true }
    return (await client.json<{ data: { id: string } }>(api.documentsProcess(), { body })).data.id
  }
  const emails = (subject: string) => smtp.received.filter(({ message }) => message.includes(`Subject: ${subject}`))

  it('Two servers send one e-mail about a run whose first server is killed at its completion', async () => {
    const ids = [await upload('a'), await upload('b'), await upload('c')]
    // The server of the run waits at the statement that completes the run.
    await inDatabase(
      one,
      `create function wait_here() returns trigger language plpgsql as 'begin perform pg_sleep(600); return new; end';
       create trigger wait_here before update on jobs for each row
         when (new.kind = 'process' and new.status = 'completed') execute function wait_here()`,
    )
    const run = await process(ada, ids.slice(0, 2))
    const waiting = () =>
      inDatabase(one, `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`)
    await expect.poll(waiting, { timeout: 90_000 }).toHaveLength(1)
    const [{ pid }] = (await waiting()) as [{ pid: number }]
    // An e-mail that was queued before the completion would arrive before the server is killed.
    await expect.poll(() => inDatabase(one, 'select id from outbox')).toEqual([])
    await one.kill('SIGKILL')
    await inDatabase(one, `select pg_terminate_backend(${pid}, 10000)`)
    await inDatabase(one, 'drop function wait_here cascade')

    const two = await start()
    const there = await signIn(two.url, { email: ADDRESS, password: PASSWORD })
    expect(await there.job(run)).toMatchObject({ status: 'completed' })
    // E-mails are sent in order, so the e-mail of the later run arrives last.
    expect(await there.job(await process(there, ids), 90_000)).toMatchObject({ status: 'completed' })
    await expect.poll(() => emails('3 documents have been processed'), { timeout: 90_000 }).toHaveLength(1)
    expect(emails('2 documents have been processed')).toHaveLength(1)
  }, 400_000)
})
