import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentsDeleted } from '#shared/contract/bulk-documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Trash } from '#shared/contract/trash.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let ada: Client
let bob: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})
afterAll(() => server.stop())

const newProject = async (name: string) =>
  (await ada.json<{ data: Project }>(api.projects(), { body: { name } })).data.id
const newPaper = async (project: string, title: string) => {
  const { id } = await ada.upload(project, new File([onePagePdf([title])], `${title}.pdf`))
  await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${title}` } })
  return id
}
const remove = (path: string) => ada.json(path, { method: 'DELETE' })
const restore = (path: string) => ada.json<{ data: Partial<DocumentDetail & Project> }>(path, { method: 'POST' })
const listed = async () => (await ada.json<{ data: Trash }>(api.trash())).data
const statusOf = async (path: string, client = ada, method = 'GET') => (await client.fetch(path, { method })).status
const found = async (search: string) => (await ada.json<{ count: number }>(api.documents({ search }))).count
const countIn = async (project_id: string) => (await ada.json<{ count: number }>(api.documents({ project_id }))).count
const files = async () => {
  const names = await readdir(join(server.dataDir, 'files', 'documents'), { recursive: true })
  return names.filter((name) => name.endsWith('.pdf')).length
}

describe('a deleted document', () => {
  it('A deleted document is only in the trash, and only its owner can restore it, unchanged', async () => {
    const project = await newProject('Sleep')
    const id = await newPaper(project, 'Napping in otters')
    await ada.json(api.document(id), { method: 'PATCH', body: { keywords: ['otters'], title: 'Napping in otters' } })
    const { data: vectors } = await ada.json<{ data: Job }>(api.documentVectorize(id), { body: {} })
    expect((await ada.job(vectors.id)).status).toBe('completed')
    const { data: before } = await ada.json<{ data: DocumentDetail }>(api.document(id))
    expect(await found('otters')).toBe(1)

    await remove(api.document(id))
    expect(await statusOf(api.document(id))).toBe(404)
    expect(await statusOf(api.documentFile(id))).toBe(404)
    expect(await statusOf(api.document(id), ada, 'DELETE')).toBe(404)
    expect([await countIn(project), await found('otters')]).toEqual([0, 0])
    expect(await ada.json<object>(api.documentFilters(project))).toEqual({
      data: { statuses: [], evidence_levels: [], tags: [] },
    })
    expect(await ada.json<{ data: Project }>(api.project(project))).toMatchObject({ data: { document_count: 0 } })
    const { documents, document_count } = await listed()
    expect(document_count).toBe(1)
    expect(documents[0]).toMatchObject({
      id,
      title: 'Napping in otters',
      project_name: 'Sleep',
      project_deleted: false,
    })
    const days = (Date.parse(documents[0]!.gone_at) - Date.parse(documents[0]!.deleted_at)) / 86_400_000
    expect(days).toBe(30)

    expect(await statusOf(api.documentRestore(id), bob, 'POST')).toBe(404)
    expect(await statusOf(api.trashDocument(id), bob, 'DELETE')).toBe(404)
    await restore(api.documentRestore(id))
    const { data: after } = await ada.json<{ data: DocumentDetail }>(api.document(id))
    expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' })
    expect([await found('otters'), (await listed()).document_count]).toEqual([1, 0])
    // A second undo has no effect.
    await restore(api.documentRestore(id))
    expect(await countIn(project)).toBe(1)
  })

  it('The deletion of a document deletes its jobs, and the restored document has none', async () => {
    const project = await newProject('Busy')
    const { id } = await ada.upload(project, new File([onePagePdf(['Busy'])], 'busy.pdf'))
    const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'ocr' } })
    await remove(api.document(id))
    expect(await statusOf(api.job(job.id))).toBe(404)
    const { data } = await restore(api.documentRestore(id))
    expect(data.status).toBe('pending')
    const { data: again } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
    expect((await ada.job(again.id)).status).toBe('completed')
  })

  it('A restored document also restores its deleted project, and no other document', async () => {
    const project = await newProject('Both')
    const [first, second] = [await newPaper(project, 'First'), await newPaper(project, 'Second')]
    await remove(api.document(first))
    await remove(api.document(second))
    await remove(api.project(project))
    await restore(api.documentRestore(first))
    expect((await ada.json<{ data: Project }>(api.project(project))).data).toMatchObject({
      name: 'Both',
      document_count: 1,
    })
    expect(await statusOf(api.document(second))).toBe(404)
  })
})

describe('several documents', () => {
  const call = (path: string, document_ids: string[], client = ada) =>
    client.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ document_ids }),
    })
  const answer = async (response: Response) => [response.status, await response.json()]

  it('One call deletes several documents with their jobs, one call restores them, and ids of other users are skipped and named', async () => {
    const project = await newProject('Many')
    const papers = await Promise.all(['One', 'Two', 'Three'].map((title) => newPaper(project, title)))
    const { data: bobs } = await bob.json<{ data: Project }>(api.projects(), { body: { name: 'Bobs' } })
    const foreign = (await bob.upload(bobs.id, new File([onePagePdf(['Bob'])], 'bob.pdf'))).id
    const nowhere = crypto.randomUUID()
    const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(papers[0]!), { body: { method: 'ocr' } })

    const named = [...papers, papers[0]!, foreign, nowhere]
    expect(await answer(await call(api.documentsDelete(), named))).toEqual([
      200,
      { data: { count: 3, missing: [foreign, nowhere] } },
    ])
    expect(await countIn(project)).toBe(0)
    expect(await statusOf(api.job(job.id))).toBe(404)
    expect(await statusOf(api.document(foreign), bob)).toBe(200)
    expect((await listed()).documents.map(({ id }) => id)).toEqual(expect.arrayContaining(papers))
    // No other user can restore them.
    expect(await answer(await call(api.documentsRestore(), papers, bob))).toMatchObject([
      404,
      { error: { message: 'No valid documents to restore' } },
    ])

    expect(await answer(await call(api.documentsRestore(), named))).toEqual([
      200,
      { data: { count: 3, missing: [foreign, nowhere] } },
    ])
    expect(await countIn(project)).toBe(3)
    // Undo twice gives the same result.
    expect((await call(api.documentsRestore(), papers)).status).toBe(200)
  })

  it('Several restored documents also restore their deleted project', async () => {
    const project = await newProject('Gone too')
    const papers = await Promise.all(['Four', 'Five'].map((title) => newPaper(project, title)))
    await call(api.documentsDelete(), papers)
    await remove(api.project(project))
    expect((await call(api.documentsRestore(), papers)).status).toBe(200)
    expect((await ada.json<{ data: Project }>(api.project(project))).data).toMatchObject({ document_count: 2 })
  })

  it('A deletion of several documents is refused if none of them exists, if the list is empty, and if it has more than 1,000 ids', async () => {
    expect(await answer(await call(api.documentsDelete(), [crypto.randomUUID()]))).toMatchObject([
      404,
      { error: { message: 'No valid documents to delete' } },
    ])
    expect((await call(api.documentsDelete(), [])).status).toBe(422)
    const many = Array.from({ length: 1001 }, () => crypto.randomUUID())
    for (const path of [api.documentsDelete(), api.documentsRestore()])
      expect((await call(path, many)).status).toBe(422)
  })

  it('Several documents are all deleted or none, when the database refuses one of them', async () => {
    const project = await newProject('All or none')
    const papers = await Promise.all(['Six', 'Seven'].map((title) => newPaper(project, title)))
    await inDatabase(
      server,
      `alter table documents add constraint refused check (deleted_at is null or id <> '${papers[1]}')`,
    )
    try {
      expect((await call(api.documentsDelete(), papers)).status).toBe(500)
      expect(await countIn(project)).toBe(2)
    } finally {
      await inDatabase(server, 'alter table documents drop constraint refused')
    }
    expect((await call(api.documentsDelete(), papers)).status).toBe(200)
  })
})

describe('a deleted project', () => {
  it('Undo after the deletion of all documents restores only the documents of this deletion', async () => {
    const project = await newProject('Deleted at once')
    const [before, one, two] = await Promise.all(['Before', 'One', 'Two'].map((title) => newPaper(project, title)))
    await remove(api.document(before!))
    const { data } = await ada.json<{ data: DocumentsDeleted }>(api.projectDocuments(project), { method: 'DELETE' })
    expect(data.count).toBe(2)
    expect(await restore(api.projectDocumentsRestore(project, { since: data.deleted_at }))).toEqual({
      data: { count: 2 },
    })
    const statuses = await Promise.all([before!, one!, two!].map((id) => statusOf(api.document(id))))
    expect(statuses).toEqual([404, 200, 200])
    const wrong = api.projectDocumentsRestore(project, { since: 'yesterday' })
    expect(await statusOf(wrong, ada, 'POST')).toBe(400)
  })

  it('A deleted project releases its name, accepts no document, and returns with its documents under a free name', async () => {
    const project = await newProject('Naps')
    const [old, id] = [await newPaper(project, 'Old'), await newPaper(project, 'New')]
    await remove(api.document(old))
    await inDatabase(server, `update documents set deleted_at = now() - interval '2 hours' where id = $1`, [old])
    expect(await statusOf(api.project(project), ada, 'DELETE')).toBe(409)
    await remove(api.projectDocuments(project))
    // Restores the documents of the last deletion together. The document that was deleted earlier stays in the trash.
    expect(await restore(api.projectDocumentsRestore(project))).toEqual({ data: { count: 1 } })
    await remove(api.projectDocuments(project))
    await remove(api.project(project))
    expect(await statusOf(api.projectDocumentsRestore(project), ada, 'POST')).toBe(404)
    expect(await statusOf(api.project(project))).toBe(404)
    expect((await listed()).projects[0]).toMatchObject({ id: project, name: 'Naps', document_count: 1 })
    expect((await listed()).documents.map((one) => one.id)).not.toContain(id)
    await expect(ada.upload(project, new File([onePagePdf(['Late'])], 'late.pdf'))).rejects.toThrow('404')

    await newProject('naps')
    const { data } = await restore(api.projectRestore(project))
    expect(data).toMatchObject({ name: 'Naps (restored)', document_count: 1 })
    expect([await statusOf(api.document(id)), await statusOf(api.document(old))]).toEqual([200, 404])
  })

  it('A project that is restored in its last hour returns with the documents that were deleted before it', async () => {
    const project = await newProject('Last hour')
    const id = await newPaper(project, 'Deleted first')
    await remove(api.document(id))
    await remove(api.project(project))
    const age = (table: string, minutes: number) =>
      `update ${table} set deleted_at = now() - interval '30 days' + interval '${minutes} minutes' where id = $1`
    await inDatabase(server, age('documents', -10), [id])
    await inDatabase(server, age('projects', 30), [project])
    expect((await listed()).projects.find((one) => one.id === project)).toMatchObject({ document_count: 1 })
    const { data } = await restore(api.projectRestore(project))
    expect(data).toMatchObject({ document_count: 1 })
    expect(await statusOf(api.document(id))).toBe(200)
  })

  it('A restored project is the default project of each member without one', async () => {
    const project = await newProject('Only one')
    const carol = await signUp(server.url)
    const { data: own } = await carol.json<{ data: Project[] }>(api.projects())
    expect(own).toEqual([])
    const member = `insert into project_members (project_id, user_id, role, is_default) values ($1, $2, 'editor', true)`
    await inDatabase(server, member, [project, carol.userId])
    await remove(api.project(project))
    await restore(api.projectRestore(project))
    const { data } = await carol.json<{ data: Project[] }>(api.projects())
    expect(data).toMatchObject([{ id: project, is_default: true }])
  })

  it('A second owner restores a project whose name the first owner uses again, and its number of documents has no joined paper', async () => {
    const project = await newProject('Two owners')
    const member = `insert into project_members (project_id, user_id, role) values ($1, $2, 'owner')`
    await inDatabase(server, member, [project, bob.userId])
    const [kept, joined] = [await newPaper(project, 'Kept'), await newPaper(project, 'Twin')]
    await ada.json(api.duplicatesJoin(), { body: { keep_id: kept, join_ids: [joined], fields: {} } })
    await remove(api.projectDocuments(project))
    await remove(api.project(project))
    expect((await listed()).projects[0]).toMatchObject({ id: project, document_count: 1 })
    await newProject('two owners')
    const { data } = await bob.json<{ data: Project }>(api.projectRestore(project), { method: 'POST' })
    expect(data).toMatchObject({ name: 'Two owners (restored)', document_count: 1 })
  })

  it('A joined paper that was restored without its undo returns with the documents that were deleted with it', async () => {
    const project = await newProject('Joined once')
    const [kept, joined] = [await newPaper(project, 'Kept once'), await newPaper(project, 'Twin once')]
    await ada.json(api.duplicatesJoin(), { body: { keep_id: kept, join_ids: [joined], fields: {} } })
    await remove(api.document(kept))
    await restore(api.documentRestore(joined))
    const { data } = await ada.json<{ data: DocumentsDeleted }>(api.projectDocuments(project), { method: 'DELETE' })
    const undo = api.projectDocumentsRestore(project, { since: data.deleted_at })
    expect(await restore(undo)).toEqual({ data: { count: 1 } })
    await remove(api.document(joined))
    await remove(api.project(project))
    expect((await listed()).projects.find(({ id }) => id === project)).toMatchObject({ document_count: 2 })
    await restore(api.projectRestore(project))
    expect(await statusOf(api.document(joined))).toBe(200)
  })

  it('A project is removed permanently with the documents that were deleted with it, and not with those deleted before', async () => {
    const project = await newProject('Over')
    const [old, id] = [await newPaper(project, 'Before'), await newPaper(project, 'With it')]
    await remove(api.document(old))
    await inDatabase(server, `update documents set deleted_at = now() - interval '2 hours' where id = $1`, [old])
    await remove(api.document(id))
    await remove(api.project(project))
    await remove(api.trashProject(project))
    expect(await statusOf(api.projectRestore(project), ada, 'POST')).toBe(404)
    expect(await statusOf(api.documentRestore(id), ada, 'POST')).toBe(404)
    const { data } = await restore(api.documentRestore(old))
    expect(data.project_id).toBeNull()
  })
})

describe('a project that its owner deleted', () => {
  it('An editor cannot remove the documents that were deleted with the project, only those that were deleted before it', async () => {
    const project = await newProject('Shared')
    const join = `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`
    await inDatabase(server, join, [project, bob.userId])
    const [early, late] = [await newPaper(project, 'Early'), await newPaper(project, 'Late')]
    await remove(api.document(early))
    await inDatabase(server, `update documents set deleted_at = now() - interval '2 hours' where id = $1`, [early])
    await remove(api.document(late))
    await remove(api.project(project))

    expect(await statusOf(api.trashDocument(late), bob, 'DELETE')).toBe(404)
    expect(await statusOf(api.trash(), bob, 'DELETE')).toBe(200)
    const stored = `select id from documents where id = any($1)`
    expect(await inDatabase(server, stored, [[early, late]])).toEqual([{ id: late }])
    await restore(api.projectRestore(project))
    expect(await statusOf(api.document(late), bob)).toBe(200)

    await remove(api.document(late))
    expect(await statusOf(api.trashDocument(late), bob, 'DELETE')).toBe(200)
    expect(await inDatabase(server, stored, [[late]])).toEqual([])
  })
})

describe('after thirty days', () => {
  it('Deleted rows and their files are removed after thirty days, later rows stay, and a file without a row is removed too', async () => {
    const project = await newProject('Thirty days')
    const [old, young] = [await newPaper(project, 'Thirty'), await newPaper(project, 'Twenty-nine')]
    const oldProject = await newProject('Gone')
    for (const path of [api.document(old), api.document(young), api.project(oldProject)]) await remove(path)
    const count = `select (select count(*)::int from documents) + (select count(*)::int from projects) as n`
    const rows = async () => (await inDatabase(server, count))[0]!['n'] as number
    const before = { files: await files(), rows: await rows() }
    const day = `set deleted_at = deleted_at - interval '1 day'`
    const age = `set deleted_at = deleted_at - interval '30 days 12 hours'`
    await inDatabase(server, `update documents ${age} where id = $1`, [old])
    await inDatabase(server, `update projects ${age} where id = $1`, [oldProject])
    await inDatabase(server, `update documents set deleted_at = deleted_at - interval '29 days' where id = $1`, [young])
    // Expired rows cannot be restored, also before the sweep.
    expect(await statusOf(api.documentRestore(old), ada, 'POST')).toBe(404)
    expect(await statusOf(api.projectRestore(oldProject), ada, 'POST')).toBe(404)
    const { documents, projects } = await listed()
    const ids = new Set([...documents, ...projects].map(({ id }) => id))
    expect([ids.has(young), ids.has(old), ids.has(oldProject)]).toEqual([true, false, false])
    // The state after a process ended before it stored the row of a file: the file, and its entry in removed_files.
    const [row] = await inDatabase(server, `select source_url as key from documents where id = $1`, [young])
    const key = String(row!['key'])
    const orphan = key.replace(young, crypto.randomUUID())
    await cp(join(server.dataDir, 'files', key), join(server.dataDir, 'files', orphan))
    await inDatabase(server, `insert into removed_files (key, due_at) values ($1, now() + interval '1 hour')`, [orphan])

    const dayPasses = () => inDatabase(server, `update trash_pass set began_at = began_at - interval '25 hours'`)
    await dayPasses()
    await server.restart()
    // The pass of the start finds both items due; the pass of the day before did not.
    const isNew = `select 1 from trash_pass where began_at > now() - interval '1 hour'`
    await expect.poll(() => inDatabase(server, isNew)).toHaveLength(1)
    expect(await rows()).toBe(before.rows)
    await inDatabase(server, `update documents ${day} where id = $1`, [old])
    await inDatabase(server, `update projects ${day} where id = $1`, [oldProject])
    await dayPasses()
    await server.restart()
    await expect.poll(rows).toBe(before.rows - 2)
    if (server.databaseUrl) {
      // If several servers share a database, another process could still store the file, so the removal waits for an
      // hour.
      await expect.poll(files).toBe(before.files)
      await inDatabase(server, `update removed_files set due_at = now()`)
      const { id } = await ada.upload(project, new File([onePagePdf(['Sweep'])], 'sweep.pdf'))
      await remove(api.document(id))
      await remove(api.trashDocument(id))
    }
    await expect.poll(files).toBe(before.files - 1)
    await restore(api.documentRestore(young))
    expect(await statusOf(api.documentFile(young))).toBe(200)
    await expect.poll(() => inDatabase(server, `select key from removed_files`)).toEqual([])
  })
})

describe('permanent removal', () => {
  it('The permanent removal of all items shown leaves those that were deleted since', async () => {
    const project = await newProject('Emptied')
    const [shown, later] = [await newPaper(project, 'Shown'), await newPaper(project, 'Later')]
    const shownProject = await newProject('Emptied too')
    await remove(api.document(shown))
    await remove(api.project(shownProject))
    const { projects, documents } = await listed()
    expect([projects[0]?.id, documents[0]?.id]).toEqual([shownProject, shown])
    const laterProject = await newProject('Emptied later')
    await remove(api.document(later))
    await remove(api.project(laterProject))
    await remove(api.trash({ before: projects[0]!.deleted_at }))
    const left = await listed()
    expect([left.projects, left.documents].map((items) => items.map(({ id }) => id))).toEqual([[laterProject], [later]])
    expect(await statusOf(`${api.trash()}?before=yesterday`, ada, 'DELETE')).toBe(400)
    await remove(api.trash())
    expect(await listed()).toMatchObject({ projects: [], documents: [] })
  })

  it.runIf(IS_LONG_RUN)(
    'Permanent removal needs two daily passes that find the item expired, so that a wrong clock removes nothing early',
    async () => {
      const id = await newPaper(await newProject('Clock'), 'Early')
      await remove(api.document(id))
      const restartAfterPass = async (beganAt: string, deletedAt: string) => {
        await inDatabase(server, `update documents set deleted_at = ${deletedAt} where id = $1`, [id])
        await inDatabase(server, `update trash_pass set began_at = ${beganAt}`)
        await server.restart()
        const isNew = `select 1 from trash_pass where began_at between now() - interval '1 minute' and now()`
        await expect.poll(() => inDatabase(server, isNew), { timeout: 90_000 }).toHaveLength(1)
        return (await inDatabase(server, `select 1 from documents where id = $1`, [id])).length
      }
      // The last pass used a clock that was a year ahead.
      expect(await restartAfterPass(`now() + interval '1 year'`, `now() - interval '29 days'`)).toBe(1)
      // The current clock is far ahead of the last pass.
      expect(await restartAfterPass(`now() - interval '40 days'`, `now() - interval '31 days'`)).toBe(1)
      await restartAfterPass(`now() - interval '25 hours'`, `now() - interval '32 days'`)
      await expect.poll(() => inDatabase(server, `select 1 from documents where id = $1`, [id])).toEqual([])
    },
  )
})

describe('data of an account', () => {
  it('The export contains deleted rows, and the end of the account removes them', async () => {
    const carol = await signUp(server.url)
    const { data } = await carol.json<{ data: Project }>(api.projects(), { body: { name: 'Carol' } })
    const { id } = await carol.upload(data.id, new File([onePagePdf(['Carol'])], 'carol.pdf'))
    await carol.json(api.document(id), { method: 'DELETE' })
    const zip = Buffer.from(await (await carol.fetch(api.accountExport())).arrayBuffer()).toString('latin1')
    expect([zip.includes(id), zip.includes('carol.pdf')]).toEqual([true, true])
    const before = await files()
    await carol.json(api.account(), { method: 'DELETE', body: { password: carol.password } })
    await expect.poll(files).toBe(before - 1)
    expect(await inDatabase(server, `select 1 from documents where id = $1`, [id])).toEqual([])
  })
})
