import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'
import type { Prompt } from '#shared/contract/prompts.ts'

const server = sharedServer()
let ada: Client
let bob: Client
let project: string
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
const scanned = await readFile(new URL('../fixtures/paper.ocr.txt', import.meta.url), 'utf8')
const words = await readFile(new URL('../fixtures/paper.txt', import.meta.url), 'utf8')

beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })).data.id
})

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const patch = (id: string, body: unknown) => ada.json(api.document(id), { method: 'PATCH', body })

/** Uploads a document and sets its extracted text to `text`. Returns the document id. */
async function documentWith(text: string): Promise<string> {
  const { id } = await ada.upload(project, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  if (text) await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  return id
}

async function analyze(id: string, body: unknown = {}): Promise<Job> {
  const { data } = await ada.json<{ data: Job }>(api.documentAnalyze(id), { body })
  return ada.job(data.id)
}

const refusal = async (client: Client, id: string, body: unknown) => {
  const response = await client.fetch(api.documentAnalyze(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, ((await response.json()) as { error: { message: string } }).error.message]
}

describe('analysis over HTTP with the built-in model', () => {
  it('The analysis of a paper without a PDF reads its abstract, and its quotes are those of the abstract', async () => {
    const abstract =
      'Background: Older adults often sleep badly. We randomised 120 older adults to evening walks or usual care. ' +
      'Sleep quality improved by 2.4 points in the walking group compared with usual care. Evening walks improve sleep in older adults.'
    const add = async (given: object) => {
      const body = { project_id: project, ...given }
      return (await ada.json<{ data: { document: { id: string } } }>(api.papers(), { body })).data.document.id
    }
    const bare = await add({ title: 'Without an abstract' })
    expect(await refusal(ada, bare, {})).toEqual([422, expect.stringContaining('no text to analyze')])
    const id = await add({ title: 'Evening walks for sleep: a randomised trial', abstract })
    expect(await analyze(id)).toMatchObject({ status: 'completed', error: null })
    const document = await read(id)
    expect(document).toMatchObject({ status: 'completed', source_url: null, extracted_text: null, abstract })
    const insights = document.passages.filter(({ field }) => field === 'insights')
    expect(insights.length).toBeGreaterThan(0)
    for (const { quote, page, start, match } of insights) {
      expect({ page, start, match }).toEqual({ page: null, start: null, match: 'exact' })
      expect(abstract).toContain(quote)
    }
    // Quotes that a new abstract lacks are no longer found.
    await patch(id, { abstract: 'A trial.' })
    const changed = (await read(id)).passages.filter(({ field }) => field === 'insights')
    expect(changed.map(({ match }) => match)).toEqual(insights.map(() => 'none'))
  })

  it('The analysis fills the document, its journal and its tags, and gives each statement its passage (ANAL-07, ANAL-08, ANAL-09, ANAL-10, ANAL-13, ANAL-15, STATE-17)', async () => {
    const id = await documentWith(`[Page 1]\n${words}`)
    expect(await analyze(id)).toMatchObject({ kind: 'analyze', status: 'completed', error: null })
    const document = await read(id)
    expect(document).toMatchObject({
      title: 'Evening group walking for older adults with poor sleep: a randomised controlled trial',
      doi_link: '10.5555/jeht.2025.0147',
      publication_date: '2025-03-14',
      journal_name: 'Journal of Everyday Health Trials',
      evidence_level: 'Level 2: Randomised controlled trial',
      status: 'completed',
      status_message: null,
      analysis_model: 'Built-in (offline, extractive)',
    })
    expect(document.journal_id).not.toBeNull()
    expect(document.analyzed_at).not.toBeNull()
    const journals = await ada.json<{ data: { id: string; name: string }[] }>(
      api.journals({ search: 'Everyday Health' }),
    )
    expect(journals.data.map((one) => one.id)).toEqual([document.journal_id])
    const tags = await ada.json<{ data: { name: string }[] }>(api.tags())
    expect(tags.data.map((one) => one.name)).toEqual(expect.arrayContaining(document.keywords))

    const pages = splitPages(document.extracted_text!)
    const insights = document.passages.filter((one) => one.field === 'insights')
    expect(insights.map((one) => one.statement)).toEqual(document.insights)
    for (const { page, start, end, statement, match } of insights) {
      expect(match).toBe('exact')
      expect(pages[page! - 1]!.text.slice(start!, end!)).toBe(statement)
    }
  })

  it('The analysis stores the printed abstract, exports contain it, and an edited abstract stays', async () => {
    const id = await documentWith(`[Page 1]\n${words}`)
    await analyze(id)
    const { abstract } = await read(id)
    const parts = ['Background', 'Objective', 'Methods', 'Results', 'Conclusions']
    expect(abstract!.split('\n').map((part) => part.split(':')[0])).toEqual(parts)
    expect(abstract).toMatch(/^Background: Poor sleep is common .* at least three walks a week\.$/su)
    const body = { project_id: project, ids: [id], format: 'csl-json' }
    expect(await ada.json(api.exports(), { body })).toMatchObject([{ abstract }])
    await patch(id, { abstract: null })
    await analyze(id)
    expect((await read(id)).abstract).toBeNull()
  })

  it('The analysis stores the printed volume, issue and pages, citations contain them, and edited values stay', async () => {
    const extracted = async () => {
      const { id } = await ada.upload(project, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
      const { data } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'text' } })
      expect(await ada.job(data.id)).toMatchObject({ status: 'completed' })
      return id
    }
    const id = await extracted()
    await analyze(id)
    const printed = { volume: '7', issue: '2', page: '101-105' }
    expect((await read(id)).reference).toMatchObject(printed)
    const body = { project_id: project, ids: [id], format: 'csl-json' }
    expect(await ada.json(api.exports(), { body })).toMatchObject([printed])
    await patch(id, { reference: { issue: null, page: '1-4' } })
    await analyze(id)
    const { reference } = await read(id)
    expect([reference.volume, reference.issue, reference.page]).toEqual(['7', undefined, '1-4'])
    // The printed values belong to another volume than the typed one.
    const other = await extracted()
    await patch(other, { reference: { volume: '8' } })
    await analyze(other)
    const typed = (await read(other)).reference
    expect([typed.volume, typed.issue, typed.page]).toEqual(['8', undefined, undefined])
  })

  it('The analysis reads the authors of a text from OCR', async () => {
    const id = await documentWith(scanned)
    await analyze(id)
    expect((await read(id)).authors).toEqual(['Maren Oldfield', 'Tobias Quist', 'Ines Caldeira'])
  })

  it('The analysis keeps the fields that a user edited and fills the others', async () => {
    const id = await documentWith(
      '[Page 1]\nWe found that tea drinkers slept 20 minutes longer than other people in the study.',
    )
    await patch(id, {
      doi_link: '10.5555/mine',
      evidence_level: 'Level 3: Mine',
      keywords: ['mine'],
      summary: 'Mine.',
    })
    await analyze(id)
    expect(await read(id)).toMatchObject({
      title: null,
      doi_link: '10.5555/mine',
      evidence_level: 'Level 3: Mine',
      keywords: ['mine'],
      summary: 'Mine.',
      insights: ['We found that tea drinkers slept 20 minutes longer than other people in the study.'],
    })
    const first = (await read(id)).analyzed_at!
    await analyze(id)
    expect(Date.parse((await read(id)).analyzed_at!)).toBeGreaterThan(Date.parse(first))
  })

  it('The analysis uses the requested prompt, and refuses an unknown one (ANAL-06)', async () => {
    const { data } = await ada.json<{ data: Prompt[] }>(api.prompts())
    const id = await documentWith(`[Page 1]\n${words}`)
    expect((await analyze(id, { prompt_id: data.at(-1)!.id })).status).toBe('completed')
    const none = '00000000-0000-4000-8000-000000000000'
    expect(await refusal(ada, id, { prompt_id: none })).toEqual([404, 'Prompt not found'])
  })

  it('The analysis refuses a document without text, and documents of other users (ANAL-05)', async () => {
    const empty = await documentWith('')
    expect(await refusal(ada, empty, {})).toEqual([
      422,
      'This document has no text to analyze. Extract its text first.',
    ])
    expect((await read(empty)).status).toBe('pending')
    expect(await refusal(bob, empty, {})).toEqual([404, 'Document not found'])
  })
})
