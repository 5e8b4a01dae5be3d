import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import type { SavedSearch } from '#shared/contract/saved-searches.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signIn, startServer, type TestServer } from '#tests/helpers/server.ts'
import { linkIn, startSmtpServer } from '#tests/helpers/smtp-server.ts'

const PATIENT = { timeout: 60_000, interval: 200 }
const ABSTRACT = 'Afternoon naps improved recall of word pairs in nurses after one week.'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
let ada: Client
let ben: Client
let project: string

beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startServer({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Room <room@example.org>' } })
  ada = await member('ada@example.org')
  ben = await member('ben@example.org')
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    project,
    ben.userId,
  ])
})
afterAll(async () => {
  await server?.stop()
  await smtp?.stop()
})

async function member(email: string): Promise<Client> {
  const password = 'correct horse battery'
  const send = (path: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send(api.signUp(), { email, password })
  const token = new URL(linkIn(await smtp.mailTo(email))).searchParams.get('token')
  await send(api.verifyEmail(), { token, password })
  return signIn(server.url, { email, password })
}

const list = async (who: Client) => (await who.json<{ data: SavedSearch[] }>(api.savedSearches(project))).data
const save = async (who: Client, body: object) =>
  (await who.json<{ data: SavedSearch }>(api.savedSearches(project), { body })).data
const edit = (who: Client, id: string, body: object) => who.json(api.savedSearch(id), { method: 'PATCH', body })
const refusal = async (who: Client, path: string, method: string, body?: object) => {
  const headers = { 'content-type': 'application/json' }
  const response = await who.fetch(path, { method, ...(body ? { headers, body: JSON.stringify(body) } : {}) })
  return response.status
}
const addPaper = async (title: string, who = ada, project_id = project) => {
  const body = { project_id, title, abstract: ABSTRACT }
  const { id } = (await who.json<{ data: AddedPaper }>(api.papers(), { body })).data.document
  await who.json(api.document(id), { method: 'PATCH', body: { abstract: ABSTRACT } })
  const waiting = () => inDatabase(server, 'select 1 from indexed_documents where document_id = $1 and is_stale', [id])
  await expect.poll(waiting, PATIENT).toEqual([])
  return id
}
const DUE = `update saved_searches set last_notified_at = now() - interval '2 days' where id = $1`
/**
 * Makes a saved search due by setting its last notification to two days ago. Waits until the server has searched for new
 * papers.
 */
const searchAgain = async (id: string) => {
  await inDatabase(server, DUE, [id])
  const isDue = () =>
    inDatabase(server, `select 1 from saved_searches where id = $1 and last_notified_at < now() - interval '1 day'`, [
      id,
    ])
  await expect.poll(isDue, PATIENT).toEqual([])
}
const mailsTo = (who: Client) =>
  smtp.received.filter(({ to, message }) => to === who.email && message.includes('saved search'))

describe('saved searches', () => {
  it('A user saves, renames and deletes own searches, which no other member sees (LIB-06)', async () => {
    const query = { q: 'naps recall', tag: ['memory'], from: 2015, scope: 'mine' }
    const saved = await save(ada, { name: ' Naps ', query })
    expect(saved).toMatchObject({ name: 'Naps', query, notify: false, last_notified_at: null, project_id: project })
    expect(await list(ada)).toEqual([saved])
    expect(await list(ben)).toEqual([])
    for (const [method, body] of [['PATCH', { name: 'x' }], ['DELETE']] as const)
      expect(await refusal(ben, api.savedSearch(saved.id), method, body)).toBe(404)
    await edit(ada, saved.id, { name: 'Naps and recall' })
    expect((await list(ada))[0]).toEqual({ ...saved, name: 'Naps and recall', version: saved.version + 1 })
    const path = api.savedSearches(project)
    expect(await refusal(ada, path, 'POST', { name: '', query })).toBe(422)
    expect(await refusal(ada, path, 'POST', { name: 'Without words', query: { q: '-naps' } })).toBe(422)
    expect(await refusal(ada, api.savedSearches(randomUUID()), 'POST', { name: 'x', query })).toBe(404)
    await ada.json(api.savedSearch(saved.id), { method: 'DELETE' })
    expect(await list(ada)).toEqual([])
  })

  it('A daily e-mail names new papers that match and that the user reads, each once (LIB-06)', async () => {
    await addPaper('Old naps')
    const saved = await save(ben, { name: 'Recall', query: { q: 'naps recall' }, notify: true })
    const silent = await save(ada, { name: 'Silent', query: { q: 'naps recall' } })
    await addPaper('New naps')
    await searchAgain(saved.id)
    await expect.poll(() => mailsTo(ben).length, PATIENT).toBe(1)
    const [mail] = mailsTo(ben)
    expect(mail!.message).toContain('1 new paper matches')
    expect(mail!.message).toContain('New naps')
    expect(mail!.message).not.toContain('Old naps')
    expect(new URL(linkIn(mail!)).pathname).toMatch(/^\/Naps~[0-9a-f]{4}\/search$/)
    expect(new URL(linkIn(mail!)).searchParams.get('q')).toBe('naps recall')
    // The same paper is not new a second time.
    await searchAgain(saved.id)
    await addPaper('Later naps')
    await searchAgain(saved.id)
    await expect.poll(() => mailsTo(ben).length, PATIENT).toBe(2)
    expect(mailsTo(ben)[1]!.message).toContain('Later naps')
    expect(mailsTo(ben)[1]!.message).not.toContain('New naps')
    // A removed member gets no e-mail about any scope, and no search runs for a user who has switched off e-mails.
    await edit(ada, silent.id, { notify: true })
    await addPaper('Last naps')
    const others = []
    for (const scope of ['all', 'mine', 'shared'])
      others.push(await save(ben, { name: scope, query: { q: 'naps recall', scope }, notify: true }))
    const own = (await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Own' } })).data.id
    await addPaper('Own naps', ben, own)
    await inDatabase(server, 'delete from project_members where project_id = $1 and user_id = $2', [
      project,
      ben.userId,
    ])
    expect(await refusal(ben, api.savedSearches(project), 'GET')).toBe(404)
    expect(await refusal(ben, api.savedSearch(saved.id), 'PATCH', { name: 'x' })).toBe(404)
    await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { email_notifications: false } })
    await inDatabase(server, DUE, [silent.id])
    await Promise.all([saved, ...others].map(({ id }) => searchAgain(id)))
    const stored = await inDatabase(server, 'select distinct notify from saved_searches where created_by = $1', [
      ben.userId,
    ])
    expect(stored).toEqual([{ notify: false }])
    const [row] = await inDatabase(
      server,
      `select last_notified_at < now() - interval '1 day' as due from saved_searches where id = $1`,
      [silent.id],
    )
    expect(row).toEqual({ due: true })
    await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { email_notifications: true } })
    await expect.poll(() => mailsTo(ada).length, PATIENT).toBe(1)
    expect(mailsTo(ada)[0]!.message).toContain('Last naps')
    expect(mailsTo(ben).length).toBe(2)
    // An e-mail has 50 papers at most, and the next one has the others.
    await inDatabase(
      server,
      `insert into documents (project_id, created_by, title, filename, abstract)
       select $1, $2, 'Copy ' || n, 'copy', $3 from generate_series(1, 51) n`,
      [project, ada.userId, ABSTRACT],
    )
    const waiting = () => inDatabase(server, 'select 1 from indexed_documents where is_stale')
    await expect.poll(waiting, PATIENT).toEqual([])
    await searchAgain(silent.id)
    await expect.poll(() => mailsTo(ada).length, PATIENT).toBe(2)
    expect(mailsTo(ada)[1]!.message).toContain('More than 50 new papers match')
    await searchAgain(silent.id)
    await expect.poll(() => mailsTo(ada).length, PATIENT).toBe(3)
    expect(mailsTo(ada)[2]!.message).toContain('1 new paper matches')
  })
})
