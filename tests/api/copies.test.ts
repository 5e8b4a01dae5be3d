import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CopyCount } from '#shared/contract/bulk-documents.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let ada: Client
let ben: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  ben = await signUp(server.url)
})

const newProject = async (who: Client, name: string) =>
  (await who.json<{ data: Project }>(api.projects(), { body: { name } })).data.id
const read = async (who: Client, id: string) => (await who.json<{ data: DocumentDetail }>(api.document(id))).data
const copy = (who: Client, ids: string[], project_id: string) =>
  who.fetch(api.documentsCopy(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ document_ids: ids, project_id }),
  })

describe('copies of papers in other projects (SHR-08)', () => {
  it('A reader of a project copies a paper to an own project, and the copy outlives the source and its file (SHR-08)', async () => {
    const shared = await newProject(ada, 'Shared')
    const own = await newProject(ben, 'Own')
    const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
    const { id } = await ada.upload(shared, new File([bytes], 'paper.pdf', { type: 'application/pdf' }))
    const steps = ['extract', 'analyze', 'vectorize']
    const work = await ada.json<{ data: Job }>(api.documentsProcess(), { body: { document_ids: [id], steps } })
    await ada.job(work.data.id)
    expect((await copy(ben, [id], own)).status).toBe(404)
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      shared,
      ben.userId,
    ])
    expect((await copy(ben, [id], shared)).status).toBe(403)

    const missing = crypto.randomUUID()
    const first = await copy(ben, [id, missing], own)
    expect(await first.json()).toEqual({ data: { count: 1, present: [], missing: [missing] } satisfies CopyCount })
    const again = await copy(ben, [id], own)
    expect(await again.json()).toEqual({ data: { count: 0, present: [id], missing: [] } satisfies CopyCount })

    const { data: list } = await ben.json<{ data: DocumentRow[] }>(api.documents({ project_id: own }))
    expect(list).toHaveLength(1)
    const [source, copied] = [await read(ada, id), await read(ben, list[0]!.id)]
    const same: (keyof DocumentDetail)[] = [
      'title',
      'extracted_text',
      'summary',
      'insights',
      'passages',
      'keywords',
      'status',
      'vectorized_at',
    ]
    for (const name of same) expect(copied[name], name).toEqual(source[name])
    expect(copied.reference).toEqual({ ...source.reference, id: copied.id })
    expect([copied.owner_id, copied.project_id]).toEqual([ben.userId, own])
    const sentences = `select count(*)::int as n from chunk_sentences where document_id = $1 and project_id is not null`
    const [there, here] = [await inDatabase(server, sentences, [id]), await inDatabase(server, sentences, [copied.id])]
    expect(here).toEqual(there)
    expect(Number(here[0]!['n'])).toBeGreaterThan(0)

    // The source is deleted for good. Its file remains until the copy is deleted, too.
    await ada.json(api.document(id), { method: 'DELETE' })
    await ada.json(api.trashDocument(id), { method: 'DELETE' })
    const file = await ben.fetch(api.documentFile(copied.id))
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
    const listed = () => inDatabase(server, 'select key from removed_files where key = $1', [source.source_url])
    await expect.poll(listed).toEqual([])
    expect((await ben.fetch(api.documentFile(copied.id))).status).toBe(200)
  })
})
