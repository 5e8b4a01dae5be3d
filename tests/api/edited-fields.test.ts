import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { UndoneAnalysis } from '#shared/contract/document-edits.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { file, json, type ScholarServer, startScholarServer } from '#tests/helpers/scholar-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const TEXT = '[Page 1]\nNaps and recall\n\nNaps helped older adults. We asked 212 nurses about their sleep.'
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

let provider: OpenAiServer
let scholar: ScholarServer
let server: TestServer
let ada: Client
let bob: Client
let project: string
beforeAll(async () => {
  provider = await startOpenAiServer({ key: 'sk-edited' })
  scholar = await startScholarServer()
  server = await startServer({
    env: {
      ...scholar.env,
      CONTACT_EMAIL: 'ops@example.org',
      AI_BASE_URL: provider.url,
      AI_API_KEY: 'sk-edited',
      AI_CHAT_MODEL: 'test-chat',
      AI_EMBEDDING_MODEL: 'text-embedding-test',
    },
  })
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
  await scholar?.stop()
})
afterEach(() => provider.reset())

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const patch = async (id: string, body: object) =>
  (await ada.json<{ data: DocumentDetail }>(api.document(id), { method: 'PATCH', body })).data
const undo = async (id: string, analyzed_at: string, client = ada) => {
  const response = await client.fetch(api.documentUndoAnalysis(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ analyzed_at }),
  })
  const body = (await response.json()) as { data: UndoneAnalysis; error: { message: string } }
  return { status: response.status, ...body }
}

async function newDocument(): Promise<string> {
  const { id } = await ada.upload(project, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: TEXT } })
  return id
}

/**
 * Sets the next reply of the model to an analysis. Each field except the date and the level of evidence contains `word`, and
 * the summary quotes the paper. The reply is sent when `after` has resolved.
 */
function reply(word: string, after: Promise<void> = Promise.resolve()) {
  const summary = 'Naps helped older adults.'
  const statement = (text: string) => ({ text: `${text} ${word}`, quote: null })
  const content = JSON.stringify({
    title: statement('Title'),
    doi: { text: `10.5555/${word}`, quote: null },
    publication_date: { text: '2024-03-01', quote: null },
    journal: statement('Journal'),
    summary: [{ text: `${summary} ${word}.`, quote: summary }],
    recommendation: [statement('Recommendation')],
    level_of_evidence: { text: 'Level 2: Randomised controlled trial', quote: null },
    keywords: [statement('keyword')],
    social_post: statement('Post'),
    insights: [statement('Insight')],
  })
  provider.next('chat', { kind: 'ok', content, after })
}

async function analyze(id: string, word: string, body: object = {}): Promise<DocumentDetail> {
  reply(word)
  const { data } = await ada.json<{ data: Job }>(api.documentAnalyze(id), { body: { again: true, ...body } })
  expect(await ada.job(data.id)).toMatchObject({ status: 'completed', error: null })
  return read(id)
}

describe('edited_fields of a document', () => {
  it('edited_fields names the fields whose values a user changes', async () => {
    const id = await newDocument()
    await analyze(id, 'one')
    expect((await read(id)).edited_fields).toEqual([])
    const same = { title: 'Title one', keywords: ['keyword one'], journal_name: 'JOURNAL ONE', status: 'completed' }
    expect((await patch(id, same)).edited_fields).toEqual([])
    await patch(id, { summary: '', authors: ['Ada Lovelace'] })
    await patch(id, { title: 'Mine', insights: '["Mine."]' })
    const fields = ['title', 'authors', 'summary', 'insights']
    expect((await read(id)).edited_fields).toEqual(fields)
    const list = await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: project }))
    expect(list.data.find((row) => row.id === id)!.edited_fields).toEqual(fields)
  })

  it('The first analysis adds keywords to imported tags up to 200', async () => {
    const tags = Array.from({ length: 200 }, (_, n) => `tag ${n}`)
    const entry = `@article{naps, title={Naps and tags}, abstract={Naps helped older adults.}, groups={${tags.join(', ')}}}`
    await importReferences(ada, project, { 'naps.bib': entry }, { groups_as_tags: 'true' })
    const { data } = await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: project, search: 'tags' }))
    expect((await analyze(data[0]!.id, 'extra')).keywords.toSorted()).toEqual(tags.toSorted())
  })

  it('A repeated analysis replaces its own keywords, and keeps the tags of an import also after a new text', async () => {
    const tags = ['search 2026', 'keyword one']
    const entry = `@article{tea, title={Tea and recall}, abstract={Tea helped.}, groups={${tags.join(', ')}}}`
    await importReferences(ada, project, { 'tea.bib': entry }, { groups_as_tags: 'true' })
    const { data } = await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: project, search: 'tea' }))
    const { id } = data[0]!
    expect((await analyze(id, 'one')).keywords).toEqual(tags)
    const form = new FormData()
    form.append('file', new File([paper], 'tea.pdf', { type: 'application/pdf' }))
    expect((await ada.fetch(api.documentFile(id), { method: 'POST', body: form })).status).toBe(200)
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `${TEXT} Keyword one.` } })
    expect((await analyze(id, 'two')).keywords).toEqual([...tags, 'keyword two'])
    const { keywords, passages } = await analyze(id, 'three')
    expect(keywords).toEqual([...tags, 'keyword three'])
    expect(passages.filter(({ field }) => field === 'keywords')).toMatchObject([
      { item: 2, statement: 'keyword three' },
    ])
  })

  it('edited_fields names the keywords that manage_document_tags changes', async () => {
    const id = await newDocument()
    const call = (tag_names: string[]) =>
      ada.json(functionPath('rpc/manage_document_tags'), { body: { doc_id: id, tag_names } })
    await call([])
    expect((await read(id)).edited_fields).toEqual([])
    await call(['mine'])
    expect((await read(id)).edited_fields).toEqual(['keywords'])
  })

  it('edited_fields does not name fields with values of a metadata service, also if the value replaces an edit', async () => {
    const id = await newDocument()
    await patch(id, { title: 'Mine', abstract: 'Mine.' })
    const body = { title: 'Theirs', summary: 'Mine.', semantic_paperid: 'W1', looked_up: ['title', 'abstract'] }
    expect(await patch(id, body)).toMatchObject({ title: 'Theirs', edited_fields: ['summary', 'abstract'] })
  })

  it('edited_fields stay through an analysis, alone and in a bulk run, with their values and passages', async () => {
    const id = await newDocument()
    await analyze(id, 'one')
    const mine = {
      title: 'Mine',
      summary: 'We asked 212 nurses about their sleep.',
      keywords: ['mine'],
      doi_link: null,
    }
    const before = await patch(id, mine)
    const edited_fields = ['title', 'doi_link', 'summary', 'keywords']
    expect(await analyze(id, 'two')).toMatchObject({ ...mine, edited_fields, insights: ['Insight two'] })
    // A bulk run uses the stored output.
    const body = { document_ids: [id], steps: ['analyze'], force: true }
    await ada.job((await ada.json<{ data: Job }>(api.documentsProcess(), { body })).data.id)
    const after = await read(id)
    expect(after).toMatchObject({ ...mine, edited_fields, insights: ['Insight two'], run: { cached: true } })
    const ofSummary = (one: DocumentDetail) => one.passages.filter(({ field }) => field === 'summary')
    expect(ofSummary(after)).toEqual(ofSummary(before))
    expect(ofSummary(after)).toMatchObject([{ match: 'exact', page: 1 }])
  })

  it('edited_fields are replaced by an analysis on request', async () => {
    const id = await newDocument()
    await patch(id, { title: 'Mine', summary: 'Mine.', authors: ['Ada Lovelace'] })
    expect(await analyze(id, 'one', { replace_edited: ['title', 'insights'] })).toMatchObject({
      title: 'Title one',
      summary: 'Mine.',
      edited_fields: ['authors', 'summary'],
    })
    const wrong = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const refused = await ada.fetch(api.documentAnalyze(id), { ...wrong, body: '{"replace_edited":["status"]}' })
    expect(refused.status).toBe(422)
  })

  it('edited_fields keep an edit that was made while the model worked, also in a field to be replaced', async () => {
    const id = await newDocument()
    await patch(id, { title: 'Mine' })
    const asked = provider.requests.length
    const { promise: edited, resolve: answer } = Promise.withResolvers<void>()
    reply('one', edited)
    const body = { replace_edited: ['title', 'summary'] }
    const { data } = await ada.json<{ data: Job }>(api.documentAnalyze(id), { body })
    await expect.poll(() => provider.requests.length, { timeout: 90_000 }).toBeGreaterThan(asked)
    await patch(id, { title: 'Mine, later', summary: 'Mine.' })
    answer()
    expect(await ada.job(data.id)).toMatchObject({ status: 'completed' })
    expect(await read(id)).toMatchObject({ title: 'Mine, later', summary: 'Mine.', insights: ['Insight one'] })
  })

  it('The search for the PDF does not write data of a service into edited fields', async () => {
    const work = {
      id: 'https://openalex.org/W9',
      doi: 'https://doi.org/10.5555/edited',
      title: 'Naps',
      publication_date: '2020-02-02',
      abstract_inverted_index: { Theirs: [0] },
      best_oa_location: { is_oa: true, pdf_url: scholar.set('/files/edited.pdf', file(paper)) },
    }
    const { promise: edited, resolve: answer } = Promise.withResolvers<void>()
    const answerWork = json(work)
    scholar.set('/openalex/works/doi:10.5555/edited', (...request) => void edited.then(() => answerWork(...request)))
    scholar.setCopies('10.5555/edited', [])
    const body = { project_id: project, title: 'Naps', doi: '10.5555/edited', abstract: 'Theirs' }
    const { document, job } = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data
    await patch(document.id, { abstract: null })
    answer()
    await ada.job(job!.id)
    expect(await read(document.id)).toMatchObject({
      abstract: null,
      edited_fields: ['abstract'],
      publication_date: '2020-02-02',
    })
  })
})

describe('the undo of a repeated analysis', () => {
  it('The undo restores values, tags, passages, edited fields and the prompt, and is possible once', async () => {
    const id = await newDocument()
    const first = await analyze(id, 'one')
    expect(first.can_undo_analysis).toBe(false)
    expect(await undo(id, first.analyzed_at!)).toMatchObject({ status: 409 })
    const before = await patch(id, { title: 'Mine', keywords: ['mine', 'naps'], authors: ['Ada Lovelace'] })
    const fields = ['title', 'keywords']
    const after = await analyze(id, 'two', { replace_edited: fields })
    expect(after).toMatchObject({ title: 'Title two', edited_fields: ['authors'], can_undo_analysis: true })
    expect(await undo(id, after.analyzed_at!, bob)).toMatchObject({ status: 404 })
    const { status, data } = await undo(id, after.analyzed_at!)
    const timeless = (one: DocumentDetail) => ({ ...one, updated_at: '', version: 0 })
    expect([status, data.kept, timeless(data.document)]).toEqual([200, [], timeless(before)])
    expect(timeless(await read(id))).toEqual(timeless(before))
    expect(await undo(id, after.analyzed_at!)).toMatchObject({
      status: 409,
      error: { message: 'This analysis can no longer be undone.' },
    })
  })

  it('The undo does not change fields that were edited after the analysis, and returns their names', async () => {
    const id = await newDocument()
    await analyze(id, 'one')
    const after = await analyze(id, 'two')
    await patch(id, { summary: 'We asked 212 nurses about their sleep.' })
    const { data } = await undo(id, after.analyzed_at!)
    expect(data).toMatchObject({
      kept: ['summary'],
      document: {
        title: 'Title one',
        insights: ['Insight one'],
        summary: 'We asked 212 nurses about their sleep.',
        edited_fields: ['summary'],
      },
    })
    const found = data.document.passages.filter(({ field }) => field === 'summary')
    expect(found.map(({ statement }) => statement)).toEqual(['We asked 212 nurses about their sleep.'])
  })

  it('The undo does not change a volume and a year that were edited after the analysis, and they stay edited fields', async () => {
    const id = await newDocument()
    await patch(id, { reference: { issued: { 'date-parts': [[2019]] } } })
    await analyze(id, 'one')
    const after = await analyze(id, 'two')
    await patch(id, { reference: { issued: { 'date-parts': [[2020]] }, volume: '7' } })
    const { data } = await undo(id, after.analyzed_at!)
    expect(data.document.reference).toMatchObject({ issued: { 'date-parts': [[2020]] }, volume: '7' })
    expect(data.document.edited_fields).toEqual(['publication_date', 'volume'])
  })

  it('The undo is refused after another analysis and after another text', async () => {
    const id = await newDocument()
    await analyze(id, 'one')
    const second = await analyze(id, 'two')
    const third = await analyze(id, 'three')
    expect(await undo(id, second.analyzed_at!)).toMatchObject({ status: 409 })
    await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `${TEXT} More.` } })
    expect((await read(id)).can_undo_analysis).toBe(false)
    expect(await undo(id, third.analyzed_at!)).toMatchObject({ status: 409 })
    expect(await read(id)).toMatchObject({ title: 'Title three' })
  })
})
