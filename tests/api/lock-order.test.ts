import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { exampleAnalysis } from '#tests/helpers/openai-replies.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { withTransaction } from '#tests/helpers/open-transaction.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests requests and jobs that lock the same rows at the same time. */

const CHANGED_AT_ONCE = 'Another request changed the same data at the same time. Please try again.'
const patient = { timeout: 60_000, interval: 50 }

// Only a server of PostgreSQL has a second connection that can lock rows.
describe.skipIf(!process.env['TEST_DATABASE_URL'])('concurrent requests and jobs', () => {
  let provider: OpenAiServer
  let server: TestServer
  let ada: Client
  beforeAll(async () => {
    provider = await startOpenAiServer()
    server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
    // The first account is an administrator and cannot be deleted.
    await signUp(server.url)
    ada = await signUp(server.url)
  })
  afterAll(async () => {
    await server?.stop()
    await provider?.stop()
  })
  afterEach(() => provider.reset())

  const newProject = async (name: string, client = ada) =>
    (await client.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
  const addPaper = async (project_id: string, more: object) =>
    (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id, ...more } })).data.document.id
  const read = async (id: string, client = ada) => (await client.json<{ data: DocumentDetail }>(api.document(id))).data
  const setTags = (id: string, keywords: string[]) =>
    ada.json(api.document(id), { method: 'PATCH', body: { keywords } })
  const analyze = async (id: string, client = ada) =>
    (await client.json<{ data: Job }>(api.documentAnalyze(id), { body: {} })).data.id
  /**
   * Waits until `count` statements have waited for a row twice as long as 'deadlock_timeout'. PostgreSQL looks for a deadlock
   * once in a wait, after this time. So a later deadlock ends another statement than these.
   */
  const untilLongWaits = (count: number) => {
    const LONG = `select from pg_locks where not granted and locktype in ('tuple', 'transactionid')
      and waitstart < now() - 2 * current_setting('deadlock_timeout')::interval`
    return expect.poll(async () => (await inDatabase(server, LONG)).length, patient).toBe(count)
  }
  /** Uploads a PDF with a text, which can be analyzed. */
  const paperWith = async (project: string, sentence: string, client = ada) => {
    const { id } = await client.upload(project, new File([onePagePdf([sentence])], 'paper.pdf'))
    await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${sentence}` } })
    return id
  }

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

  it('Two analyses that find the same new journal at the same time add it once', async () => {
    const project = await newProject('Journals')
    // The analyses of one account, and those of one project, are stored one after the other.
    const ben = await signUp(server.url)
    const first = await paperWith(project, 'Short naps improved recall of word pairs in nurses.')
    const other = await newProject('More journals', ben)
    const second = await paperWith(other, 'Long naps did not improve recall of word pairs in students.', ben)
    const finding = (keyword: string) => ({
      kind: 'ok' as const,
      content: JSON.stringify({
        ...exampleAnalysis('Naps'),
        journal: { text: 'Annals of Concurrent Naps', quote: null },
        keywords: [{ text: keyword, quote: null }],
      }),
    })
    provider.next('chat', finding('naps'), finding('recall'))
    await withTransaction(server, async (own) => {
      // The first analysis waits for this tag.
      await own.query(`insert into tags (created_by, project_id, name) values ($1, $2, 'naps')`, [ada.userId, project])
      const job = await analyze(first)
      await expect.poll(() => own.countWaiting(/into "tags"/), patient).toBe(1)
      expect(await ben.job(await analyze(second, ben))).toMatchObject({ status: 'completed', error: null })
      await own.commit()
      expect(await ada.job(job)).toMatchObject({ status: 'completed', error: null })
    })
    const rows = await inDatabase(server, `select id from journals where name = 'Annals of Concurrent Naps'`)
    expect(rows).toHaveLength(1)
    const ids = [(await read(first)).journal_id, (await read(second, ben)).journal_id]
    expect(ids).toEqual([rows[0]!['id'], rows[0]!['id']])
  })

  it('A request that PostgreSQL ends because of a deadlock answers 503 and changes nothing', async () => {
    const project = await newProject('Locked')
    const ids: string[] = []
    for (const title of ['Tea', 'Naps', 'Walks']) ids.push(await addPaper(project, { title }))
    const [first, second, third] = ids.toSorted()
    const LOCK = 'select from documents where id = $1 for update'
    await withTransaction(server, (ofSecond) =>
      withTransaction(server, async (ofThird) => {
        await ofSecond.query(LOCK, [second])
        await ofThird.query(LOCK, [third])
        const deleted = ada.fetch(api.documentsDelete(), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ document_ids: ids }),
        })
        await expect.poll(() => ofSecond.countWaiting(/"deleted_at" =/), patient).toBe(1)
        const locked = ofThird.query(LOCK, [first])
        await untilLongWaits(2)
        await ofSecond.commit()
        const answer = await deleted
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await answer.json()).toMatchObject({ error: { message: CHANGED_AT_ONCE } })
        await locked
      }),
    )
    expect((await read(first!)).id).toBe(first)
  })

  it('The deletion of an account waits for a job that stores its result', async () => {
    const project = await newProject('Deleted')
    const paper = await paperWith(project, 'Short naps improved recall of word pairs in nurses.')
    await setTags(paper, ['naps'])
    const reply = Promise.withResolvers<void>()
    provider.next('chat', { kind: 'ok', after: reply.promise })
    const job = await analyze(paper)
    await expect.poll(() => provider.requests.length, patient).toBe(1)
    await withTransaction(server, (ofTag) =>
      withTransaction(server, async (ofJob) => {
        await ofTag.query('select from document_tags where document_id = $1 for key share', [paper])
        await ofJob.query('select from jobs where id = $1 for key share', [job])
        reply.resolve()
        await expect.poll(() => ofJob.countWaiting(/"jobs"/), patient).toBe(1)
        const deleted = ada.fetch(api.account(), {
          method: 'DELETE',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ password: ada.password }),
        })
        const countWaiting = async () =>
          (await ofTag.countWaiting(/"documents"/)) + (await ofJob.countWaiting(/from jobs/))
        await expect.poll(countWaiting, patient).toBe(1)
        await ofJob.commit()
        // The job and the deletion have the rows that the other transaction locked, and both wait for the tag.
        await expect.poll(() => ofTag.countWaiting(/./), patient).toBe(2)
        // A later deadlock ends the deletion.
        await untilLongWaits(2)
        await ofTag.commit()
        expect((await deleted).status).toBe(200)
      }),
    )
  })
})
