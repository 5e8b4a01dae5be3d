import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '#server/db/actor.ts'
import type { EvidenceSubject } from '#server/evidence/index.ts'
import { ONLY_AUTHOR } from '#shared/contract/conversations.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { type LostEvidence, type SimilarPlace, WORDS_NOT_IN_TEXT } from '#shared/contract/evidence.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { withTransaction } from '#tests/helpers/open-transaction.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * Whether to run the tests of this file. They call functions of server/evidence in this process, because each kind of subject
 * that has evidence has separate routes. They use the database of a running server, which must be PostgreSQL.
 */
const onServer = process.env['TEST_DATABASE_URL'] !== undefined

const NAPS = 'Naps improved recall in nurses.'
const TEXT = `[Page 1]\nWe studied sleep. ${NAPS} The effect was small.\n\n[Page 2]\nIn sum: ${NAPS} Further work is needed.`

const REPEATED = `[Page 1]\nMost people expect it. ${NAPS} So they say in the press. We studied sleep. ${NAPS} No effect size is known.\n\n[Page 2]\nIn sum: Naps impnoved recall in nurses. Further work is needed.`
const PATIENT = { timeout: 60_000, interval: 100 }

describe.runIf(onServer)('stored evidence', () => {
  let server: TestServer
  let ada: Client
  let ben: Client
  let project: string
  let room: typeof import('#server/evidence/index.ts')
  let database: typeof import('#server/db/client.ts')
  let close: () => Promise<void>

  beforeAll(async () => {
    server = await startServer()
    ada = await signUp(server.url)
    ben = await signUp(server.url)
    project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
    await inDatabase(server, "insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')", [
      project,
      ben.userId,
    ])
    process.env['DATABASE_URL'] = server.databaseUrl!
    process.env['DATA_DIR'] = server.dataDir
    database = await import('#server/db/client.ts')
    room = await import('#server/evidence/index.ts')
    close = (await database.openDatabase()).close
    // The server has migrated the database; this sets the name of the role of requests.
    await (await import('#server/db/migrate.ts')).migrateDatabase()
  })
  afterAll(async () => {
    await close?.()
    await server?.stop()
  })

  const actor = (client: Client): Actor => ({ userId: client.userId, isAdmin: false })
  const subjectOf = (visibility: EvidenceSubject['visibility']): EvidenceSubject => ({
    kind: 'message',
    id: randomUUID(),
    projectId: project,
    createdBy: ada.userId,
    visibility,
  })
  const addPaper = async (title: string, project_id = project) =>
    (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id, title } })).data.document.id
  const setText = (id: string, extracted_text: string) =>
    ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text, method: 'text' } })
  const store = (subject: EvidenceSubject, found: Parameters<typeof room.storeEvidence>[2]) =>
    database.asActor(actor(ada), (tx) => room.storeEvidence(tx, subject, found))
  const detail = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
  /** Waits until the server has searched all evidence of a paper in its new text, so that none is stale. */
  const allSearched = async (id: string) => {
    const stale = () => inDatabase(server, 'select id from evidence where document_id = $1 and is_stale', [id])
    await expect.poll(stale, PATIENT).toEqual([])
  }
  const read = (client: Client, { kind, id }: EvidenceSubject) =>
    database.asActor(actor(client), (tx) => room.readEvidence(tx, kind, [id]))

  it('Evidence is stored as it was found, and a private subject is read by its creator only (FND-20, FND-21, SHR-09)', async () => {
    const paper = await addPaper('Naps in nurses')
    await setText(paper, TEXT)
    const found = await room.findEvidence(actor(ada), paper, [{ quote: NAPS, nearPage: 2 }, { quote: 'Tea is bad.' }])
    const secret = subjectOf('me')
    const shared = subjectOf('project')
    const ids = await store(secret, found)
    await store(shared, found)
    const stored = await read(ada, secret)
    expect(ids.map((id) => stored.get(id))).toEqual([
      { ...found[0], id: ids[0], lost: false },
      { ...found[1], id: ids[1], lost: false },
    ])
    expect(stored.get(ids[0]!)).toMatchObject({ page: 2, prefix: 'In sum: ', suffix: ' Further work is needed.' })
    expect(stored.get(ids[1]!)).toMatchObject({ page: null, match: 'none' })
    expect((await read(ben, secret)).size).toBe(0)
    expect((await read(ben, shared)).size).toBe(2)
    await expect(
      database.asActor(actor(ben), (tx) => room.storeEvidence(tx, { ...shared, createdBy: ben.userId }, found)),
    ).rejects.toThrow()
  })
  it('Evidence is found again in the OCR text of the same pages, and repeated words keep their places (FND-22, FND-24)', async () => {
    const pdf = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
    const { id } = await ada.upload(project, new File([pdf], 'paper.pdf', { type: 'application/pdf' }))
    const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
    await ada.job(job.id)
    const pages = splitPages((await detail(id)).extracted_text!)
    const wanted = pages.flatMap(({ page, text }) =>
      splitSentences(text).map(({ start, end }) => ({ quote: text.slice(start, end), nearPage: page })),
    )
    const found = (await room.findEvidence(actor(ada), id, wanted)).filter(({ quote }) => quote.length > 20)
    expect(found.length).toBeGreaterThan(100)
    const subject = subjectOf('project')
    const ids = await store(subject, found)
    await setText(id, await readFile(new URL('../fixtures/paper.ocr.txt', import.meta.url), 'utf8'))
    await allSearched(id)
    const moved = await read(ada, subject)
    const places = ids.map((one, index) => ({ before: found[index]!, after: moved.get(one)! }))
    expect(places.filter(({ after }) => after.lost).length).toBeLessThan(places.length * 0.05)
    expect(places.filter(({ before, after }) => !after.lost && after.page !== before.page)).toEqual([])
    expect(new Set(places.map(({ after }) => after.text_version))).toEqual(new Set([found[0]!.text_version + 1]))
  })

  it('Evidence that a text no longer contains is lost until a text contains it again (FND-22)', async () => {
    const paper = await addPaper('Naps twice')
    await setText(paper, TEXT)
    await ada.json(api.document(paper), { method: 'PATCH', body: { insights: [NAPS] } })
    const found = await room.findEvidence(actor(ada), paper, [
      { quote: NAPS, nearPage: 1 },
      { quote: NAPS, nearPage: 2 },
      { quote: 'The effect was small.' },
    ])
    const subject = subjectOf('project')
    const ids = await store(subject, found)
    const placesNow = async () => {
      await allSearched(paper)
      const rows = await read(ada, subject)
      return ids.map((id) => {
        const { page, start, lost, quote } = rows.get(id)!
        return { page, start, lost, quote }
      })
    }
    const before = await placesNow()
    // The quoted words are now twice on the first page, and the quote on the second page has a wrong letter.
    await setText(paper, REPEATED)
    const at = REPEATED.split('[Page 2]')[0]!.lastIndexOf(NAPS) - '[Page 1]\n'.length
    expect(await placesNow()).toEqual([
      { page: 1, start: at, lost: false, quote: NAPS },
      { page: 2, start: 'In sum: '.length, lost: false, quote: 'Naps impnoved recall in nurses.' },
      { page: null, start: null, lost: true, quote: 'The effect was small.' },
    ])
    const { passages } = await detail(paper)
    expect(passages.find(({ field }) => field === 'insights')).toMatchObject({ page: 1, start: at, match: 'exact' })
    expect((await read(ada, subject)).get(ids[2]!)).toMatchObject({
      match: 'none',
      prefix: expect.stringContaining('recall'),
    })
    await setText(paper, TEXT)
    expect(await placesNow()).toEqual(before)
    const [{ history }] = (await inDatabase(server, 'select history from evidence where id = $1', [ids[2]])) as [
      { history: object[] },
    ]
    expect(history).toMatchObject([{ page: 1, text_version: found[2]!.text_version, quote: 'The effect was small.' }])
  })

  it('Evidence of an older text, stored after a change of the text, is searched in the new text (FND-22)', async () => {
    const paper = await addPaper('Naps and late answers')
    await setText(paper, TEXT)
    const found = await room.findEvidence(actor(ada), paper, [{ quote: NAPS, nearPage: 2 }])
    await setText(paper, TEXT.replace('In sum', 'In our summary'))
    const subject = subjectOf('me')
    await store(subject, found)
    await allSearched(paper)
    const [stored] = (await read(ada, subject)).values()
    expect(stored).toMatchObject({ page: 2, start: 'In our summary: '.length, quote: NAPS, lost: false })
  })

  it('Evidence of an abstract has its place until the paper has a text, and is lost only if the text does not contain it (FND-22)', async () => {
    const paper = await addPaper('Naps of nurses')
    const abstract = `We studied sleep. ${NAPS} Twelve nurses took part in the trial.`
    await ada.json(api.document(paper), { method: 'PATCH', body: { abstract } })
    const quotes = [NAPS, 'Twelve nurses took part in the trial.']
    const found = await room.findEvidence(
      actor(ada),
      paper,
      quotes.map((quote) => ({ quote })),
    )
    const subject = subjectOf('project')
    const ids = await store(subject, found)
    const placesNow = async () => {
      await allSearched(paper)
      const rows = await read(ada, subject)
      return ids.map((id) => rows.get(id)!)
    }
    const form = new FormData()
    const pdf = onePagePdf(['Naps of nurses', NAPS, 'The twelve physicians slept well.'])
    form.append('file', new File([pdf], 'naps.pdf', { type: 'application/pdf' }))
    expect((await ada.fetch(api.documentFile(paper), { method: 'POST', body: form })).status).toBe(200)
    const inAbstract = { page: null, match: 'exact', lost: false }
    expect(await placesNow()).toMatchObject(quotes.map((quote) => ({ ...inAbstract, quote })))
    const { data: job } = await ada.json<{ data: Job }>(api.documentExtract(paper), { body: { method: 'text' } })
    await ada.job(job.id)
    expect(await placesNow()).toMatchObject([
      { page: 1, quote: NAPS, match: 'exact', lost: false },
      { page: null, quote: quotes[1], match: 'none', lost: true },
    ])
  })

  it('Lost places are listed for readers of the subject, and the author of the question chooses other words (FND-22)', async () => {
    const own = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Revised' } })).data.id
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      own,
      ben.userId,
    ])
    const paper = await addPaper('Naps, revised', own)
    await setText(paper, TEXT)
    const found = await room.findEvidence(actor(ada), paper, [{ quote: 'The effect was small.' }])
    const [conversation] = await inDatabase(
      server,
      'insert into conversations (project_id, created_by) values ($1, $2) returning id',
      [own, ada.userId],
    )
    const [message] = await inDatabase(
      server,
      `insert into messages (conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status)
       values ($1, $2, $3, 'Q', '{"kind":"all"}', true, 'done') returning id`,
      [conversation!['id'], own, ada.userId],
    )
    const subject = { ...subjectOf('me'), id: String(message!['id']), projectId: own }
    const [id] = await store(subject, found)
    await setText(paper, TEXT.replace('The effect was small.', 'The effect of naps was rather small here.'))
    await allSearched(paper)
    const lost = (client: Client) =>
      client.json<{ data: LostEvidence[]; count: number }>(api.lostEvidence(own, { page: 1, limit: 5 }))
    const row = {
      id,
      document_id: paper,
      title: 'Naps, revised',
      has_file: false,
      quote: 'The effect was small.',
      page: 1,
      is_mine: true,
    }
    expect(await lost(ada)).toMatchObject({ data: [row], count: 1 })
    expect(await lost(ben)).toEqual({ data: [], count: 0 })
    const lostIn = async (document_id: string) =>
      (await ada.json<{ count: number }>(api.lostEvidence(own, { document_id }))).count
    expect([await lostIn(paper), await lostIn(randomUUID())]).toEqual([1, 0])
    expect((await ben.fetch(api.evidencePlaces(id!))).status).toBe(404)
    await ada.json(api.conversation(String(conversation!['id'])), { method: 'PATCH', body: { visibility: 'project' } })
    expect((await lost(ben)).count).toBe(1)
    const { data: similar } = await ben.json<{ data: SimilarPlace[] }>(api.evidencePlaces(id!))
    const [best] = similar
    expect(best).toMatchObject({ page: 1, quote: expect.stringContaining('rather small here') })
    const put = (client: Client, quote: string) =>
      client.fetch(api.evidencePlace(id!), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ quote }),
      })
    expect((await put(ben, best!.quote)).status).toBe(403)
    // An editor may ask, but another member's answer is not theirs to change.
    await inDatabase(server, `update project_members set role = 'editor' where project_id = $1 and user_id = $2`, [
      own,
      ben.userId,
    ])
    expect((await lost(ben)).data).toMatchObject([{ id, is_mine: false }])
    expect(await (await put(ben, best!.quote)).json()).toMatchObject({ error: { message: ONLY_AUTHOR } })
    expect((await put(ada, 'The')).status).toBe(422)
    const refused = await put(ada, 'Tea is bad.')
    expect([refused.status, await refused.json()]).toMatchObject([422, { error: { message: WORDS_NOT_IN_TEXT } }])
    expect(await (await put(ada, best!.quote)).json()).toMatchObject({
      data: { id, lost: false, match: 'exact', quote: best!.quote, page: 1 },
    })
    expect((await lost(ada)).count).toBe(0)
    expect((await put(ada, best!.quote)).status).toBe(409)
    // Searches in later texts use the chosen words.
    await setText(paper, TEXT)
    await allSearched(paper)
    expect((await lost(ada)).data).toMatchObject([{ id, quote: best!.quote }])
    await ada.json(api.conversation(String(conversation!['id'])), { method: 'DELETE' })
    expect((await read(ada, subject)).size).toBe(0)
  })
  it('A place that a user chooses while the quote is searched in a new text is not replaced (FND-22)', async () => {
    const paper = await addPaper('Naps, chosen')
    await setText(paper, TEXT)
    const quotes = ['The effect was small.', 'Further work is needed.'].map((quote) => ({ quote }))
    const found = await room.findEvidence(actor(ada), paper, quotes)
    const ids = (await store(subjectOf('project'), found)).toSorted() as [string, string]
    const chosen = 'This text has other words.'
    await setText(paper, `[Page 1]\n${chosen}`)
    await allSearched(paper)
    await inDatabase(server, 'update evidence set is_stale = true where document_id = $1', [paper])
    await withTransaction(server, async (own) => {
      await own.query('select from evidence where id = $1 for no key update', [ids[0]])
      await inDatabase(server, `select pg_notify('lectern_evidence', '')`)
      await expect.poll(() => own.countWaiting(/"evidence"/), PATIENT).toBe(1)
      await ada.json(api.evidencePlace(ids[1]), { method: 'PUT', body: { quote: chosen } })
      await own.commit()
    })
    await allSearched(paper)
    const places = await inDatabase(server, 'select quote, lost from evidence where document_id = $1 order by id', [
      paper,
    ])
    expect(places).toMatchObject([{ lost: true }, { lost: false, quote: chosen }])
  })
})
