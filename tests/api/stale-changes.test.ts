import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Conversation, conversationEdit } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { type Recommendation, recommendationChange } from '#shared/contract/recommendations.ts'
import { type SavedSearch, savedSearchEdit } from '#shared/contract/saved-searches.ts'
import { type ZoteroSync, zoteroSyncPatch } from '#shared/contract/zotero.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
/** The users Ada and Ben, who both own the project and edit the same rows at the same time. */
let ada: Client
let ben: Client
let project: string
beforeAll(async () => {
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  project = (await ada.json<{ data: Project }>(api.projects(), { body: { name: 'Naps' } })).data.id
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'owner')`, [
    project,
    ben.userId,
  ])
})
afterAll(() => inDatabase(server, 'delete from zotero_libraries where project_id = $1', [project]))

interface Answer<T> {
  status: number
  data?: T
  error?: { code: string; fields?: Record<string, string>; current?: T }
}
/** Sends a PATCH request. Returns the status with the changed row, or with the error. */
async function patch<T>(who: Client, path: string, body: object): Promise<Answer<T>> {
  const headers = { 'content-type': 'application/json' }
  const response = await who.fetch(path, { method: 'PATCH', headers, body: JSON.stringify(body) })
  return { status: response.status, ...((await response.json()) as Omit<Answer<T>, 'status'>) }
}
const refusedFields = ({ status, error }: Answer<unknown>) => [status, error?.code, Object.keys(error?.fields ?? {})]
const newConversation = async (visibility: Conversation['visibility']) =>
  (await ada.json<{ data: Conversation }>(api.conversations(project), { body: { title: 'Naps?', visibility } })).data
const newSearch = async () => {
  const body = { name: 'Naps', query: { q: 'naps' } }
  return (await ada.json<{ data: SavedSearch }>(api.savedSearches(project), { body })).data
}

describe('changes of the same row at the same time (SHR-30)', () => {
  it('A conversation refuses a stale title and visibility, and accepts fields that did not change (SHR-30)', async () => {
    const { id, version } = await newConversation('project')
    const path = api.conversation(id)
    const first = await patch<Conversation>(ada, path, { title: 'By the first tab', version })
    expect([first.status, first.data?.version]).toEqual([200, version + 1])
    const stale = await patch<Conversation>(ada, path, { title: 'By the second tab', visibility: 'me', version })
    expect(refusedFields(stale)).toEqual([409, 'changed', ['title']])
    expect(stale.error?.current).toMatchObject({ id, title: 'By the first tab', visibility: 'project' })
    expect(stale.error?.current).not.toHaveProperty('field_versions')
    // An owner hides a conversation whose title the owner has not seen.
    const hidden = await patch<Conversation>(ben, path, { visibility: 'me', version })
    expect([hidden.status, hidden.data]).toMatchObject([200, { visibility: 'me', version: version + 2 }])
    const shared = await patch<Conversation>(ada, path, { visibility: 'project', version: version + 2 })
    expect(shared.data).toMatchObject({ title: 'By the first tab', visibility: 'project', version: version + 3 })
    const late = await patch<Conversation>(ben, path, { visibility: 'me', version })
    expect(refusedFields(late)).toEqual([409, 'changed', ['visibility']])
    expect(await patch(ada, path, { title: 'Without a version' })).toMatchObject({ status: 200 })
  })

  it('A rename of a conversation with the version before its first question does not replace the title from the question', async () => {
    const { data } = await ada.json<{ data: Conversation }>(api.conversations(project), { body: {} })
    await inDatabase(server, `update conversations set title = 'Do naps help?' where id = $1`, [data.id])
    const late = await patch<Conversation>(ada, api.conversation(data.id), { title: 'Sleep', version: data.version })
    expect([late.status, late.error?.current?.title]).toEqual([409, 'Do naps help?'])
  })

  it('A saved search refuses a stale name and a stale choice of e-mails (SHR-30)', async () => {
    const { id, version } = await newSearch()
    const path = api.savedSearch(id)
    expect((await patch<SavedSearch>(ada, path, { name: 'Nap trials', version })).data?.version).toBe(version + 1)
    const stale = await patch<SavedSearch>(ada, path, { name: 'Naps of nurses', version })
    expect(refusedFields(stale)).toEqual([409, 'changed', ['name']])
    expect(stale.error?.current).toMatchObject({ id, name: 'Nap trials', version: version + 1 })
    expect(stale.error?.current).not.toHaveProperty('reported')
    // The search for new papers changes other columns of the row.
    await inDatabase(server, `update saved_searches set last_notified_at = now() where id = $1`, [id])
    expect(await patch(ada, path, { notify: true, version })).toMatchObject({ status: 200 })
    expect(await patch(ada, path, { notify: true, version })).toMatchObject({ status: 200 })
    expect(await patch(ada, path, { notify: false, version: version + 2 })).toMatchObject({ status: 200 })
    expect(refusedFields(await patch(ada, path, { notify: true, version }))).toEqual([409, 'changed', ['notify']])
  })

  it('A recommendation refuses a stale status (SHR-30)', async () => {
    const body = { project_id: project, papers: [{ title: 'Naps of nurses' }] }
    const [row] = (await ada.json<{ data: Recommendation[] }>(api.recommendations(), { body })).data
    const path = api.recommendation(row!.id)
    const dismissed = await patch<Recommendation>(ben, path, { status: 'rejected', version: row!.version })
    expect(dismissed.data).toMatchObject({ status: 'rejected', version: row!.version + 1 })
    // Both dismiss the paper.
    expect((await patch(ada, path, { status: 'rejected', version: row!.version })).status).toBe(200)
    const stale = await patch<Recommendation>(ada, path, { status: 'pending', version: row!.version })
    expect(refusedFields(stale)).toEqual([409, 'changed', ['status']])
    expect(stale.error?.current).toMatchObject({ id: row!.id, status: 'rejected', may: expect.any(Array) })
    expect((await patch(ada, path, { status: 'pending', version: row!.version + 1 })).status).toBe(200)
  })

  it('The schedule of a Zotero library refuses a stale choice (SHR-30)', async () => {
    const [inserted] = await inDatabase(
      server,
      `insert into zotero_libraries (project_id, created_by, server, library, library_name, with_subcollections,
        with_pdfs, with_tags, synchronize) values ($1, $2, 'http://127.0.0.1', 'users/1', 'Mine', true, true, true, 'daily')
        returning id`,
      [project, ada.userId],
    )
    const path = api.zoteroImport(String(inserted!['id']))
    const syncs = api.zoteroImports({ project_id: project })
    const [sync] = (await ada.json<{ data: ZoteroSync[] }>(syncs)).data
    expect((await patch<ZoteroSync>(ben, path, { synchronize: 'never', version: sync!.version })).data).toMatchObject({
      synchronize: 'never',
      version: sync!.version + 1,
    })
    const stale = await patch<ZoteroSync>(ada, path, { synchronize: 'hourly', version: sync!.version })
    expect(refusedFields(stale)).toEqual([409, 'changed', ['synchronize']])
    expect(stale.error?.current).toMatchObject({ id: sync!.id, synchronize: 'never', is_own: true })
    // A synchronization stores when it read the library.
    await inDatabase(server, 'update zotero_libraries set last_synced_at = now(), version = 7 where project_id = $1', [
      project,
    ])
    expect((await patch(ada, path, { synchronize: 'hourly', version: sync!.version + 1 })).status).toBe(200)
  })

  it.each([
    ['a conversation', async () => api.conversation((await newConversation('me')).id), 'title'],
    ['a saved search', async () => api.savedSearch((await newSearch()).id), 'name'],
  ])('Twenty parallel writers of the name of %s lose no change (SHR-30)', async (_, create, field) => {
    type Row = { version: number } & Record<string, unknown>
    const path = await create()
    const begun = (await patch<Row>(ada, path, { [field]: 'Words:' })).data!
    const write = async (word: string) => {
      let seen = begun
      for (;;) {
        const { status, error } = await patch<Row>(ada, path, {
          [field]: `${String(seen[field])} ${word}`,
          version: seen.version,
        })
        if (status === 200) return
        expect([status, error?.code]).toEqual([409, 'changed'])
        seen = error!.current!
      }
    }
    const words = Array.from({ length: 20 }, (__, n) => `w${n}`)
    await Promise.all(words.map(write))
    const last = (await patch<Row>(ada, path, {})).data!
    expect(String(last[field]).split(' ').toSorted()).toEqual(['Words:', ...words].toSorted())
  })

  // If a change were not counted, an edit with an earlier version would overwrite it without a notice.
  it.each([
    ['conversations', conversationEdit],
    ['saved_searches', savedSearchEdit],
    ['research_recommendation', recommendationChange],
    ['zotero_libraries', zoteroSyncPatch],
  ])('A trigger counts the changes of every editable field of %s', async (table, schema) => {
    const [row] = await inDatabase(
      server,
      `select array_agg(a.attname::text) as counted from pg_trigger t
        join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any (t.tgattr)
        where t.tgrelid = $1::regclass and t.tgname = $2`,
      [table, `${table}_count_version`],
    )
    const fields = Object.keys(schema.shape).filter((name) => name !== 'version')
    expect(row!['counted']).toEqual(expect.arrayContaining(fields))
  })
})
