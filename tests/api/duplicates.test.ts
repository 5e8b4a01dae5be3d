import { readFile } from 'node:fs/promises'
import { Client as PostgresClient } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentTitle, type DocumentDetail } from '#shared/contract/documents.ts'
import {
  BOTH_HAVE_FILES,
  type DuplicateGroup,
  FILE_STAYS,
  type JoinedPaper,
  type JoinResult,
  NOT_SAME_PROJECT,
} from '#shared/contract/duplicates.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import type { Trash } from '#shared/contract/trash.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const pdf = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
const TITLE = 'Sleep spindles and the consolidation of paired associates: a randomised nap trial'
const VARIANT = 'Sleep spindles and consolidation of paired-associates: a randomized nap trial'

const server = sharedServer()
let ada: Client
beforeAll(async () => {
  ada = await signUp(server.url)
})

const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const addPaper = async (project: string, title: string, reference: object = {}) => {
  const { document } = (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title } }))
    .data
  await ada.json(api.document(document.id), { method: 'PATCH', body: { reference } })
  return document.id
}
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const look = async (project: string, client = ada) =>
  client.job((await client.json<{ data: Job }>(api.duplicatesSearch(), { body: { project_id: project } })).data.id)
const list = (project: string, page = 1, limit = 10) =>
  ada.json<{ data: DuplicateGroup[]; count: number }>(api.duplicates({ project_id: project, page, limit }))
/**
 * Waits until the list of suspected duplicates of a project has `count` groups. The server updates it after a change of a
 * paper.
 */
const listWhen = async (project: string, count: number) => {
  await expect.poll(async () => (await list(project)).count, { interval: 250 }).toBe(count)
}
const groupSizes = async (project: string) => (await list(project)).data.map(({ paper_count }) => paper_count)
/**
 * Adds two pairs of papers with the same title, eight years apart, and the paper `middle` without a year, which is like all of
 * them. Waits until they form one group.
 */
const connectedPapers = async (name: string) => {
  const project = await newProject(name)
  const ids: string[] = []
  for (const [at, year] of [2012, 2012, 2020, 2020, undefined].entries()) {
    const issued = year && { issued: { 'date-parts': [[year]] } }
    ids.push(await addPaper(project, `Draft ${at}`, { title: TITLE, ...issued }))
  }
  await expect.poll(() => groupSizes(project)).toEqual([5])
  return { project, middle: ids[4]! }
}
const join = async (body: object) => (await ada.json<{ data: JoinResult }>(api.duplicatesJoin(), { body })).data
const refused = async (path: string, body: object) => {
  const response = await ada.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error } = (await response.json()) as { error?: { message: string } }
  return [response.status, error?.message]
}
const joinedWith = async (id: string) => (await ada.json<{ data: JoinedPaper[] }>(api.documentJoinedPapers(id))).data
const undo = (id: string) => ada.json(api.joinedPaperUndo(id), { method: 'POST', body: {} })
const changing = ({
  version: _version,
  field_versions: _fields,
  updated_at: _time,
  ...rest
}: DocumentDetail & Record<string, unknown>) => rest

describe('duplicates', () => {
  it('Suspected duplicates form a group after a change of a paper and after a search (FMT-08, FMT-43, FMT-44)', async () => {
    const project = await newProject('Naps')
    const first = await addPaper(project, TITLE, { volume: '18', page: '201-214' })
    const second = await addPaper(project, VARIANT, { volume: '18' })
    const other = await addPaper(project, 'Caffeine and alertness of nurses on night shifts in winter')
    await listWhen(project, 1)
    const { data } = await list(project)
    expect(data[0]).toMatchObject({
      because: { likeness: 'suspected', title_begins: false, equal: ['volume'] },
      papers: [{ id: first, has_file: false }, { id: second }],
      paper_count: 2,
      keep_id: first,
      is_later: false,
    })
    // The title of the first paper adds the third paper to the group, and another title removes it.
    await ada.json(api.document(other), { method: 'PATCH', body: { title: TITLE } })
    await expect.poll(async () => (await list(project)).data[0]?.paper_count).toBe(3)
    await ada.json(api.document(other), { method: 'PATCH', body: { title: 'Caffeine and alertness of nurses' } })
    await expect.poll(async () => (await list(project)).data[0]?.paper_count).toBe(2)
    expect(await look(project)).toMatchObject({ status: 'completed', result: { compared: 3 } })
    // A refusal is remembered, also by a search; its withdrawal shows the group again.
    const ids = [second, first]
    expect(await refused(api.duplicatesRefuse(), { ids })).toEqual([200, undefined])
    expect((await list(project)).count).toBe(0)
    await look(project)
    expect((await list(project)).count).toBe(0)
    await ada.json(api.duplicatesAccept(), { body: { ids } })
    await listWhen(project, 1)
    await ada.json(api.duplicatesLater(), { body: { ids } })
    expect((await list(project)).data[0]?.is_later).toBe(true)
    // A deleted paper is in no group.
    await ada.json(api.document(second), { method: 'DELETE' })
    expect((await list(project)).count).toBe(0)
    await ada.json(api.documentRestore(second), { method: 'POST', body: {} })
    await listWhen(project, 1)
  })

  it('A group splits when the paper that connects its papers is deleted (FMT-44)', async () => {
    const { project, middle } = await connectedPapers('Split by a deletion')
    await ada.json(api.document(middle), { method: 'DELETE' })
    await expect.poll(() => groupSizes(project)).toEqual([2, 2])
  })

  it('A group splits when the paper that connects its papers is moved to another project (FMT-44)', async () => {
    const { project, middle } = await connectedPapers('Split by a move')
    const other = await newProject('Project of the moved paper')
    await ada.json(api.document(middle), { method: 'PATCH', body: { project_id: other } })
    await expect.poll(() => groupSizes(project)).toEqual([2, 2])
  })

  it('Papers of a group that are moved together are a group in their new project (FMT-44)', async () => {
    const { project } = await connectedPapers('Moved together')
    const other = await newProject('Project of the moved group')
    await ada.json(api.documentsReassign(), { body: { from_project_id: project, project_id: other } })
    await expect.poll(() => groupSizes(other)).toEqual([5])
    expect((await list(project)).count).toBe(0)
  })

  it('A page after the last one, and a page without rows, have the number of all groups (FMT-08)', async () => {
    const project = await newProject('Pages')
    await addPaper(project, TITLE)
    await addPaper(project, VARIANT)
    await listWhen(project, 1)
    expect(await list(project, 2)).toMatchObject({ data: [], count: 1 })
    expect(await list(project, 1, 0)).toMatchObject({ data: [], count: 1 })
  })

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A search compares all papers although another transaction locks their checks meanwhile',
    async () => {
      const project = await newProject('Locked')
      const records = Array.from({ length: 60 }, (_, at) => `TY  - JOUR\nTI  - ${at % 2 ? TITLE : VARIANT}\nER  - \n`)
      const unlike = 'TY  - JOUR\nTI  - Night work and reading\nER  - \n'
      await importReferences(ada, project, { 'locked.ris': records.join('') + unlike })
      await expect.poll(async () => (await list(project)).data[0]?.paper_count).toBe(60)
      await inDatabase(server, 'delete from duplicate_pairs where project_id = $1', [project])
      const other = new PostgresClient({ connectionString: server.databaseUrl })
      await other.connect()
      const search = look(project)
      const claimed = 'select 1 from duplicate_checks where project_id = $1 and claimed_at is not null limit 1'
      await expect.poll(() => inDatabase(server, claimed, [project]), { interval: 1 }).not.toEqual([])
      await other.query('begin')
      const [free] = await inDatabase(server, 'select id from documents where project_id = $1 and title = $2', [
        project,
        'Night work and reading',
      ])
      await other.query('select from duplicate_checks where project_id = $1 and document_id <> $2 for update', [
        project,
        free!['id'],
      ])
      // The search has tried to compare all papers when it has compared the only one that is not locked.
      const compared = 'select 1 from duplicate_checks where document_id = $1 and not is_waiting'
      await expect.poll(() => inDatabase(server, compared, [free!['id']]), { interval: 20 }).not.toEqual([])
      await other.query('commit')
      await other.end()
      expect(await search).toMatchObject({ status: 'completed', result: { compared: 61 } })
      expect((await list(project)).data[0]?.paper_count).toBe(60)
    },
  )

  it('A join keeps the chosen values, moves records and tags, and its undo restores both papers exactly (FMT-45, FMT-46)', async () => {
    const project = await newProject('Joined')
    const kept = await addPaper(project, TITLE, { volume: '18', DOI: '10.5555/a' })
    const duplicate = await addPaper(project, VARIANT, { issue: '2', abstract: 'Naps helped.' })
    await ada.json(api.document(kept), { method: 'PATCH', body: { keywords: ['sleep'] } })
    await ada.json(api.document(duplicate), {
      method: 'PATCH',
      body: { keywords: ['Sleep', 'naps'], summary: 'Typed.' },
    })
    const before = [await read(kept), await read(duplicate)]
    const { document_id, joined } = await join({
      keep_id: kept,
      join_ids: [duplicate],
      fields: { title: duplicate, issue: kept },
    })
    expect(document_id).toBe(kept)
    const now = await read(kept)
    expect(now).toMatchObject({
      title: VARIANT,
      summary: 'Typed.',
      abstract: 'Naps helped.',
      keywords: ['sleep', 'naps'],
    })
    expect(now.reference).toMatchObject({ volume: '18', DOI: '10.5555/a', title: VARIANT })
    expect(now.reference.issue).toBeUndefined()
    expect(now.edited_fields).toEqual(expect.arrayContaining(['title', 'summary', 'abstract']))
    expect((await ada.fetch(api.document(duplicate))).status).toBe(404)
    const [entry] = await joinedWith(kept)
    expect(entry).toMatchObject({
      document_id: duplicate,
      title: VARIANT,
      can_undo: true,
      joined_by: expect.any(String),
    })
    await undo(joined[0]!.id)
    expect([await read(kept), await read(duplicate)].map(changing)).toEqual(before.map(changing))
    expect(await joinedWith(kept)).toEqual([])
    // A second undo changes nothing.
    await undo(joined[0]!.id)
    await listWhen(project, 1)
    // A value that was changed after the join stays.
    const again = await join({ keep_id: kept, join_ids: [duplicate], fields: { title: duplicate } })
    await ada.json(api.document(kept), { method: 'PATCH', body: { title: 'Typed after the join' } })
    await undo(again.joined[0]!.id)
    expect(await read(kept)).toMatchObject({ title: 'Typed after the join', abstract: null })
    // After the permanent deletion of the joined paper, its join can no longer be undone.
    const last = await join({ join_ids: [kept, duplicate] })
    const hidden = last.document_id === kept ? duplicate : kept
    // The trash names a join that can be undone. A paper that was restored without its undo and deleted has none.
    const joinInTrash = async () => {
      const { documents } = (await ada.json<{ data: Trash }>(api.trash())).data
      return documents.find(({ id }) => id === hidden)?.join
    }
    const inTrash = { id: last.joined[0]!.id, kept_title: documentTitle(await read(last.document_id)) }
    expect(await joinInTrash()).toEqual(inTrash)
    await ada.json(api.document(last.document_id), { method: 'DELETE' })
    expect(await joinInTrash()).toBeNull()
    await ada.json(api.documentRestore(last.document_id), { method: 'POST', body: {} })
    expect(await joinInTrash()).toEqual(inTrash)
    await ada.json(api.documentRestore(hidden), { method: 'POST', body: {} })
    await ada.json(api.document(hidden), { method: 'DELETE' })
    expect(await joinInTrash()).toBeNull()
    await ada.json(api.trashDocument(hidden), { method: 'DELETE' })
    expect((await joinedWith(last.document_id))[0]).toMatchObject({ document_id: null, can_undo: false })
    expect((await ada.fetch(api.joinedPaperUndo(last.joined[0]!.id), { method: 'POST' })).status).toBe(409)
  })

  it('A paper that was moved from another project is joined, and its record there stays (FND-11)', async () => {
    const [from, project] = [await newProject('Moved from'), await newProject('Moved to')]
    const moved = await addPaper(from, TITLE)
    const kept = await addPaper(project, VARIANT)
    await ada.json(api.document(moved), { method: 'PATCH', body: { project_id: project } })
    const records = async (id: string) =>
      (await ada.json<{ data: { id: string }[] }>(api.documentRecords(id))).data.map((record) => record.id)
    const before = await Promise.all([kept, moved].map(records))
    expect(before.map(({ length }) => length)).toEqual([1, 2])
    const { joined } = await join({ keep_id: kept, join_ids: [moved] })
    expect(await records(kept)).toEqual([...before[0]!, before[1]![1]])
    await undo(joined[0]!.id)
    expect(await Promise.all([kept, moved].map(records))).toEqual(before)
  })

  it('A join waits for an import that adds a record to one of the papers, and moves it', async () => {
    const project = await newProject('Joined meanwhile')
    const [kept, duplicate] = [await addPaper(project, TITLE), await addPaper(project, VARIANT)]
    const client = new PostgresClient({ connectionString: server.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtextextended('papers of ' || $1, 0))`, [project])
    let isOver = false
    const joined = join({ keep_id: kept, join_ids: [duplicate] }).finally(() => (isOver = true))
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!isOver && (await client.query(waiting)).rowCount === 0);
    await client.query(
      `insert into import_records (import_id, project_id, position, outcome, document_id)
        select id, project_id, 99, 'joined', $2 from imports where project_id = $1 limit 1`,
      [project, duplicate],
    )
    await client.query('commit')
    await client.end()
    await joined
    const records = await ada.json<{ data: { position: number }[] }>(api.documentRecords(kept))
    expect(records.data.map(({ position }) => position)).toContain(99)
  })

  it('Tags that were edited by hand count as edited after a join, and as before after its undo (FMT-46)', async () => {
    const project = await newProject('Joined tags')
    const [kept, duplicate] = [await addPaper(project, TITLE), await addPaper(project, VARIANT)]
    await ada.json(api.document(duplicate), { method: 'PATCH', body: { keywords: ['naps'] } })
    const before = await read(kept)
    const { joined } = await join({ keep_id: kept, join_ids: [duplicate] })
    expect((await read(kept)).edited_fields).toContain('keywords')
    await undo(joined[0]!.id)
    expect(changing(await read(kept))).toEqual(changing(before))
  })

  it('Tags that were edited by hand after a join stay edited after its undo (FMT-46)', async () => {
    const project = await newProject('Tags edited since')
    const [kept, duplicate] = [await addPaper(project, TITLE), await addPaper(project, VARIANT)]
    await ada.json(api.document(duplicate), { method: 'PATCH', body: { keywords: ['naps'] } })
    const { joined } = await join({ keep_id: kept, join_ids: [duplicate] })
    await ada.json(api.document(kept), { method: 'PATCH', body: { keywords: ['naps', 'mine'] } })
    await undo(joined[0]!.id)
    expect(await read(kept)).toMatchObject({ keywords: ['mine'], edited_fields: ['keywords'] })
  })

  it('The undo of a join keeps the tags that another joined paper has (FMT-46)', async () => {
    const project = await newProject('Shared tags')
    const [kept, one, two] = [
      await addPaper(project, TITLE),
      await addPaper(project, VARIANT),
      await addPaper(project, `${TITLE}s`),
    ]
    await ada.json(api.document(one), { method: 'PATCH', body: { keywords: ['shared', 'one'] } })
    await ada.json(api.document(two), { method: 'PATCH', body: { keywords: ['shared', 'two'] } })
    const before = await read(kept)
    const tags = async () => {
      const sql =
        'select name from tags t join document_tags d on d.tag_id = t.id where d.document_id = $1 order by name'
      return (await inDatabase(server, sql, [kept])).map(({ name }) => name)
    }
    const joinAll = async (...calls: string[][]) => {
      const ids: string[] = []
      for (const join_ids of calls) ids.push(...(await join({ keep_id: kept, join_ids })).joined.map(({ id }) => id))
      return ids
    }
    for (const calls of [[[one, two]], [[one], [two]]]) {
      const [first, second] = await joinAll(...calls)
      expect(await read(kept)).toMatchObject({ keywords: ['shared', 'one', 'two'], edited_fields: ['keywords'] })
      await undo(first!)
      expect(await read(kept)).toMatchObject({ keywords: ['shared', 'two'], edited_fields: ['keywords'] })
      expect(await tags()).toEqual(['shared', 'two'])
      await undo(second!)
      expect(changing(await read(kept))).toEqual(changing(before))
      expect(await tags()).toEqual([])
    }
  })

  it('The undo of a join restores the passages of a title together with the title only (FMT-46)', async () => {
    const project = await newProject('Passages')
    const [kept, one, two] = [
      await addPaper(project, TITLE),
      await addPaper(project, VARIANT),
      await addPaper(project, `${TITLE}s`),
    ]
    const place = { page: 1, start: 0, end: TITLE.length, match: 'exact', score: 1 }
    const passages = [{ field: 'title', item: 0, statement: TITLE, quote: TITLE, ...place }]
    await inDatabase(server, 'update documents set passages = $2 where id = $1', [kept, JSON.stringify(passages)])
    const state = async () => {
      const { title, passages: found } = await read(kept)
      return [title, found.map(({ statement }) => statement)]
    }
    expect(await state()).toEqual([TITLE, [TITLE]])
    const first = await join({ keep_id: kept, join_ids: [one], fields: { title: one } })
    const second = await join({ keep_id: kept, join_ids: [two], fields: { title: two } })
    expect(await state()).toEqual([`${TITLE}s`, []])
    await undo(first.joined[0]!.id)
    expect(await state()).toEqual([`${TITLE}s`, []])
    await undo(second.joined[0]!.id)
    expect(await state()).toEqual([TITLE, [TITLE]])
    const again = await join({ keep_id: kept, join_ids: [one], fields: { title: one } })
    await ada.json(api.document(kept), { method: 'PATCH', body: { title: 'Typed after the join' } })
    await undo(again.joined[0]!.id)
    expect(await state()).toEqual(['Typed after the join', ['Typed after the join']])
  })

  it('A fact that a join adds from a checked paper counts as checked until the undo (FMT-46)', async () => {
    const project = await newProject('Checked')
    const { id: kept } = await ada.upload(project, new File([pdf], 'kept.pdf'))
    await ada.json(api.document(kept), { method: 'PATCH', body: { title: TITLE } })
    const other = await addPaper(project, VARIANT, { issued: { 'date-parts': [[2020]] } })
    const state = async () => {
      const { ref_year, metadata_checked_at } = await read(kept)
      return [ref_year, metadata_checked_at]
    }
    const { metadata_checked_at } = await read(other)
    expect(await state()).toEqual([null, null])
    const { joined } = await join({ keep_id: kept, join_ids: [other] })
    expect([typeof metadata_checked_at, ...(await state())]).toEqual(['string', 2020, metadata_checked_at])
    await undo(joined[0]!.id)
    expect(await state()).toEqual([null, null])
  })

  it('The undo of the first of two joins keeps the check and the retraction that the second join also added (FMT-46)', async () => {
    const project = await newProject('Checked twice')
    const { id: kept } = await ada.upload(project, new File([pdf], 'kept.pdf'))
    const first = await addPaper(project, TITLE, { issued: { 'date-parts': [[2020]] } })
    const second = await addPaper(project, VARIANT, { 'container-title': 'Sleep' })
    for (const id of [first, second]) await ada.json(api.document(id), { method: 'PATCH', body: { retracted: true } })
    const state = async () => {
      const { ref_year, journal_name, retracted, metadata_checked_at } = await read(kept)
      return { ref_year, journal_name, retracted, metadata_checked_at }
    }
    const before = await state()
    expect(before).toMatchObject({ retracted: false, metadata_checked_at: null })
    const [byFirst, bySecond] = (await Promise.all([first, second].map(read))).map((row) => row.metadata_checked_at)
    expect([typeof byFirst, typeof bySecond]).toEqual(['string', 'string'])
    const one = await join({ keep_id: kept, join_ids: [first] })
    const two = await join({ keep_id: kept, join_ids: [second] })
    const joined = { ...before, journal_name: 'Sleep', retracted: true }
    expect(await state()).toEqual({ ...joined, ref_year: 2020, metadata_checked_at: byFirst })
    await undo(one.joined[0]!.id)
    expect(await state()).toEqual({ ...joined, metadata_checked_at: bySecond })
    await undo(two.joined[0]!.id)
    expect(await state()).toEqual(before)
  })

  it('The undo of a join keeps the values of an analysis that was made since (FMT-46)', async () => {
    const project = await newProject('Analyzed since')
    const [kept, duplicate] = [await addPaper(project, TITLE), await addPaper(project, VARIANT)]
    const analyze = (id: string, at: string) =>
      inDatabase(
        server,
        `update documents set analyzed_at = $2, analysis_model = 'm', evidence_level = 'Level 2: Trial' where id = $1`,
        [id, at],
      )
    await analyze(duplicate, '2026-03-01T00:00:00Z')
    const { joined } = await join({ keep_id: kept, join_ids: [duplicate] })
    expect(await read(kept)).toMatchObject({ analysis_model: 'm', evidence_level: 'Level 2: Trial' })
    await analyze(kept, '2026-03-02T00:00:00Z')
    await undo(joined[0]!.id)
    expect(await read(kept)).toMatchObject({ analysis_model: 'm', evidence_level: 'Level 2: Trial' })
  })

  it('Joins of three papers are undone in any order (FMT-46)', async () => {
    const project = await newProject('Three')
    const ids = [
      await addPaper(project, TITLE),
      await addPaper(project, VARIANT),
      await addPaper(project, `${TITLE}s`),
    ] as const
    await ada.json(api.document(ids[1]), { method: 'PATCH', body: { reference: { volume: '2' }, keywords: ['b'] } })
    await ada.json(api.document(ids[2]), { method: 'PATCH', body: { reference: { volume: '3' }, keywords: ['c'] } })
    const before = await Promise.all(ids.map(read))
    const one = await join({ keep_id: ids[0], join_ids: [ids[1]], fields: { volume: ids[1] } })
    const two = await join({ keep_id: ids[0], join_ids: [ids[2]], fields: { volume: ids[2] } })
    expect(await read(ids[0])).toMatchObject({ keywords: ['b', 'c'], reference: { volume: '3' } })
    await undo(one.joined[0]!.id)
    expect(await read(ids[0])).toMatchObject({ keywords: ['c'], reference: { volume: '3' } })
    await undo(two.joined[0]!.id)
    expect((await Promise.all(ids.map(read))).map(changing)).toEqual(before.map(changing))
    const all = await join({ keep_id: ids[0], join_ids: [ids[1], ids[2]], fields: { volume: ids[2] } })
    expect(all.joined.map(({ document_id }) => document_id)).toEqual([ids[1], ids[2]])
    for (const { id } of all.joined) await undo(id)
    expect((await Promise.all(ids.map(read))).map(changing)).toEqual(before.map(changing))
  })

  it('A join of papers with files needs a choice, and two members who join at once join once (FMT-45)', async () => {
    const project = await newProject('With files')
    const upload = async (name: string) =>
      (await ada.upload(project, new File([pdf], name, { type: 'application/pdf' }))).id
    const [a, b] = [await upload('a.pdf'), await upload('b.pdf')]
    const bare = await addPaper(project, TITLE)
    const elsewhere = await addPaper(await newProject('Elsewhere'), TITLE)
    expect(await refused(api.duplicatesJoin(), { join_ids: [a, b] })).toEqual([422, BOTH_HAVE_FILES])
    expect(await refused(api.duplicatesJoin(), { keep_id: bare, join_ids: [a] })).toEqual([422, FILE_STAYS])
    expect(await refused(api.duplicatesJoin(), { keep_id: a, join_ids: [elsewhere] })).toEqual([422, NOT_SAME_PROJECT])
    expect((await refused(api.duplicatesJoin(), { keep_id: a, join_ids: [a] }))[0]).toBe(422)
    expect((await refused(api.duplicatesJoin(), { keep_id: a, join_ids: [b], fields: { title: bare } }))[0]).toBe(422)
    const both = await Promise.all([
      refused(api.duplicatesJoin(), { keep_id: a, join_ids: [b] }),
      refused(api.duplicatesJoin(), { keep_id: b, join_ids: [a] }),
    ])
    expect(both.map(([status]) => Number(status)).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('A user who is not a member neither reads groups and joins nor changes them', async () => {
    const project = await newProject('Rights')
    const ids = [await addPaper(project, TITLE), await addPaper(project, VARIANT)]
    const bob = await signUp(server.url)
    for (const path of [api.duplicates({ project_id: project }), api.documentJoinedPapers(ids[0]!)])
      expect((await bob.fetch(path)).status).toBe(404)
    const statusOf = async (path: string, body: object) =>
      (
        await bob.fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status
    expect(await statusOf(api.duplicatesJoin(), { keep_id: ids[0], join_ids: [ids[1]] })).toBe(404)
    expect(await statusOf(api.duplicatesRefuse(), { ids })).toBe(404)
    expect(await statusOf(api.duplicatesSearch(), { project_id: project })).toBe(404)
  })
})
