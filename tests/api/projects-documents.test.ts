import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import { api } from '#shared/contract/paths.ts'
import type { ImportRecordRow, ImportRow } from '#shared/contract/imports.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import type { Project } from '#shared/contract/projects.ts'

/** Number of documents. It is larger than the maximum page size of a list. */
const MANY = 105

const server = sharedServer()
let ada: Client
let bob: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})

const create = async (client: Client, name: string) =>
  (await client.json<{ data: Project }>(api.projects(), { body: { name } })).data
const filled = async (name: string, count: number) => {
  const project = await create(ada, name)
  for (let at = 0; at < count; at += 5)
    await Promise.all(
      Array.from({ length: Math.min(5, count - at) }, (_, one) =>
        ada.upload(project.id, new File([onePagePdf([`${name} ${at + one}`])], `${at + one}.pdf`)),
      ),
    )
  return project
}
const countOf = async (project_id: string) =>
  (await ada.json<{ count: number }>(api.documents({ project_id, limit: 1 }))).count
const move = (client: Client, from_project_id: string | null, project_id: string | null, limit?: number) =>
  client.fetch(api.documentsReassign(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from_project_id, project_id, limit }),
  })
const filesOf = async () => {
  const names = await readdir(join(server.dataDir, 'files', 'documents', ada.userId), { recursive: true })
  return names.filter((name) => name.endsWith('.pdf')).length
}

describe('all documents of a project', () => {
  it('A move that is refused because of the role in the former project creates no tags', async () => {
    const from = await create(ada, 'Only to read')
    const { data } = await ada.json<{ data: AddedPaper }>(api.papers(), {
      body: { project_id: from.id, title: 'Naps' },
    })
    await ada.json(api.document(data.document.id), { method: 'PATCH', body: { keywords: ['naps'] } })
    await inDatabase(server, "insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')", [
      from.id,
      bob.userId,
    ])
    const to = await create(bob, 'Own')
    expect((await move(bob, from.id, to.id)).status).toBe(403)
    expect(await inDatabase(server, 'select name from tags where project_id = $1', [to.id])).toEqual([])
  })
  it('All documents of a project move to another project, to none and back, for any number (PROJ-22, PROJ-23)', async () => {
    const from = await filled('From', MANY)
    const to = await create(ada, 'To')
    expect(await (await move(ada, from.id, to.id)).json()).toEqual({ data: { count: MANY, has_more: false } })
    expect([await countOf(from.id), await countOf(to.id)]).toEqual([0, MANY])
    const { data: imports } = await ada.json<{ data: ImportRow[] }>(api.imports({ project_id: to.id }))
    expect(imports).toMatchObject([{ kind: 'upload', read_count: MANY, created_count: MANY, joined_count: 0 }])
    const { data: records } = await ada.json<{ data: ImportRecordRow[]; count: number }>(
      api.importRecords(imports[0]!.id, {}),
    )
    expect(records.map(({ position, outcome, document }) => [position, outcome, document !== null])).toEqual(
      records.map((_, index) => [index + 1, 'created', true]),
    )
    expect(await (await move(ada, to.id, null)).json()).toEqual({ data: { count: MANY, has_more: false } })
    expect([await countOf(to.id), await countOf('none')]).toEqual([0, MANY])
    expect((await ada.json<{ data: Project }>(api.project(to.id))).data.document_count).toBe(0)
    expect(await (await move(ada, null, from.id)).json()).toEqual({ data: { count: MANY, has_more: false } })
    expect([await countOf(from.id), await countOf('none')]).toEqual([MANY, 0])
    // A program can move them in several calls.
    expect(await (await move(ada, from.id, to.id, MANY - 1)).json()).toEqual({
      data: { count: MANY - 1, has_more: true },
    })
    expect([await countOf(from.id), await countOf(to.id)]).toEqual([1, MANY - 1])
    expect(await (await move(ada, from.id, to.id, MANY - 1)).json()).toEqual({ data: { count: 1, has_more: false } })
    expect((await move(ada, to.id, null, 201)).status).toBe(422)
    await move(ada, to.id, from.id)
  })

  it('All documents of a project are deleted with their files, and then the project can be deleted (PROJ-25)', async () => {
    const [project] = (await ada.json<{ data: Project[] }>(api.projects({ name: 'From' }))).data
    const refused = await ada.fetch(api.project(project!.id), { method: 'DELETE' })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      error: {
        message:
          'Cannot delete this project because it has associated records. Please use the document manager to reassign them first.',
      },
    })
    expect(await filesOf()).toBe(MANY)
    const answer = await ada.json(api.projectDocuments(project!.id), { method: 'DELETE' })
    expect(answer).toMatchObject({ data: { count: MANY } })
    // Deleted documents can be restored for thirty days, so their files remain.
    expect(await filesOf()).toBe(MANY)
    await ada.json(api.trash(), { method: 'DELETE' })
    await expect.poll(filesOf).toBe(0)
    expect(await ada.json(api.projectDocuments(project!.id), { method: 'DELETE' })).toMatchObject({
      data: { count: 0 },
    })
    expect((await ada.fetch(api.project(project!.id), { method: 'DELETE' })).status).toBe(200)
  })

  it('All documents of a project are moved and deleted by their owner only, and only between two different places', async () => {
    const mine = await filled('Mine', 1)
    const theirs = await create(bob, 'Theirs')
    expect((await move(bob, mine.id, theirs.id)).status).toBe(404)
    expect((await move(ada, mine.id, theirs.id)).status).toBe(404)
    expect((await bob.fetch(api.projectDocuments(mine.id), { method: 'DELETE' })).status).toBe(404)
    expect((await move(ada, mine.id, mine.id)).status).toBe(422)
    await move(ada, mine.id, null)
    expect(await (await move(bob, null, theirs.id)).json()).toEqual({ data: { count: 0, has_more: false } })
    expect(await countOf('none')).toBe(1)
    expect((await bob.json<{ count: number }>(api.documents({ project_id: 'none' }))).count).toBe(0)
  })

  it('The documents of a large project are moved, deleted, restored and removed in several transactions', async () => {
    const count = 1100
    const [from, to] = [await create(ada, 'Large'), await create(ada, 'Other')]
    const insert = `insert into documents (created_by, project_id, filename) select $1, $2, n || '.pdf' from generate_series(1, $3) n`
    await inDatabase(server, insert, [ada.userId, from.id, count])
    const transactions = async () => {
      const text = `select count(distinct xmin::text)::int as n from documents where project_id = $1`
      return (await inDatabase(server, text, [to.id]))[0]!['n']
    }
    expect(await (await move(ada, from.id, to.id)).json()).toEqual({ data: { count, has_more: false } })
    expect([await countOf(to.id), await transactions()]).toEqual([count, 6])
    expect(await ada.json(api.projectDocuments(to.id), { method: 'DELETE' })).toMatchObject({ data: { count } })
    expect([await countOf(to.id), await transactions()]).toEqual([0, 2])
    await ada.json(api.project(to.id), { method: 'DELETE' })
    const { data } = await ada.json<{ data: Project }>(api.projectRestore(to.id), { method: 'POST' })
    expect([data.document_count, await transactions()]).toEqual([count, 2])
    await ada.json(api.projectDocuments(to.id), { method: 'DELETE' })
    await ada.json(api.project(to.id), { method: 'DELETE' })
    await ada.json(api.trashProject(to.id), { method: 'DELETE' })
    const left = await inDatabase(server, 'select id from documents where project_id is not distinct from $1', [to.id])
    expect(left).toEqual([])
  })
})
