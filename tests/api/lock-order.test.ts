import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { withTransaction } from '#tests/helpers/open-transaction.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests requests and jobs that lock the same rows at the same time. */

const patient = { timeout: 60_000, interval: 50 }

// Only a server of PostgreSQL has a second connection that can lock rows.
describe.skipIf(!process.env['TEST_DATABASE_URL'])('concurrent requests and jobs', () => {
  let server: TestServer
  let ada: Client
  beforeAll(async () => {
    server = await startServer()
    ada = await signUp(server.url)
  })
  afterAll(() => server?.stop())

  const newProject = async (name: string) =>
    (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
  const addPaper = async (project_id: string, more: object) =>
    (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id, ...more } })).data.document.id
  const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
  const setTags = (id: string, keywords: string[]) =>
    ada.json(api.document(id), { method: 'PATCH', body: { keywords } })

  it('A move of papers and a change of tags that create the same tags both succeed', async () => {
    const from = await newProject('Drafts')
    const to = await newProject('Reviews')
    const other = await addPaper(to, { title: 'A paper of the other project' })
    const papers = []
    for (const title of ['Tea', 'Naps', 'Walks']) papers.push(await addPaper(from, { title }))
    const tags = ['walks', 'middle', 'afternoon']
    for (const [at, id] of papers.toSorted().entries()) await setTags(id, [tags[at]!])
    await withTransaction(server, async (own) => {
      await own.query(`insert into tags (created_by, project_id, name) values ($1, $2, 'middle')`, [ada.userId, to])
      const moved = ada.json(api.documentsReassign(), { body: { from_project_id: from, project_id: to } })
      const countTagging = () => own.countWaiting(/into "tags"|set "project_id"/)
      await expect.poll(countTagging, patient).toBe(1)
      const changed = setTags(other, ['afternoon', 'walks'])
      await expect.poll(countTagging, patient).toBe(2)
      await own.commit()
      expect(await Promise.allSettled([moved, changed])).toMatchObject([
        { status: 'fulfilled', value: { data: { count: 3 } } },
        { status: 'fulfilled' },
      ])
    })
    expect((await read(other)).keywords).toEqual(['afternoon', 'walks'])
    const names = await inDatabase(server, 'select name from tags where project_id = $1 order by name', [to])
    expect(names.map(({ name }) => name)).toEqual(['afternoon', 'middle', 'walks'])
  })

  it('An import of records of existing papers and a deletion of these papers both succeed', async () => {
    const project = await newProject('Imports')
    const dois = new Map<string, string>()
    for (const doi of ['10.5555/tea', '10.5555/naps']) dois.set(await addPaper(project, { title: doi, doi }), doi)
    const [smaller, larger] = [...dois.keys()].toSorted() as [string, string]
    const ris = [larger, smaller]
      .map((id) => `TY  - JOUR\nTI  - ${dois.get(id)}\nDO  - ${dois.get(id)}\nER  - \n`)
      .join('\n')
    await withTransaction(server, async (own) => {
      await own.query('select from documents where id = $1 for update', [larger])
      const imported = importReferences(ada, project, { 'records.ris': ris })
      await expect.poll(() => own.countWaiting(/import_records/), patient).toBe(1)
      const deleted = ada.json(api.documentsDelete(), { body: { document_ids: [smaller, larger] } })
      await expect.poll(() => own.countWaiting(/"deleted_at" =/), patient).toBe(1)
      await own.commit()
      expect(await Promise.allSettled([imported, deleted])).toMatchObject([
        { status: 'fulfilled', value: { status: 'completed' } },
        { status: 'fulfilled', value: { data: { count: 2 } } },
      ])
    })
  })
})
