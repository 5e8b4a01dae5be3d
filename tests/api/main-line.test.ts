import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pdfOf, readTestPapers } from '#tests/helpers/papers.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'

/** This file runs the main workflow over HTTP with the built-in models, as an API client does. */

/** The papers, each with a question and a text that a correct answer contains. */
const papers = [
  {
    name: 'paper',
    file: new URL('../fixtures/paper.pdf', import.meta.url),
    question: 'What was the adjusted difference in sleep efficiency?',
    gold: '5.0 percentage points',
  },
  ...readTestPapers()
    .filter(({ lang }) => lang === 'en')
    .map(({ name, question, gold }) => ({ name, file: pdfOf({ name }), question, gold })),
]

let server: TestServer
let ada: Client
let project: string
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Line' } })).data.id
})
afterAll(() => server.stop())

/** Starts a job by a POST request, waits until it has completed, and returns it. */
async function work(path: string, body: unknown): Promise<Job> {
  const { data } = await ada.json<{ data: Job }>(path, { body })
  const ended = await ada.job(data.id)
  expect([path, ended.status, ended.error]).toEqual([path, 'completed', null])
  return ended
}

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

describe('upload, extract, analyze, vectorize, chat', () => {
  it.each(papers)(
    'The main workflow answers the question about $name (ANAL-12, ANAL-14, API-07)',
    async ({ file, question, gold }) => {
      const name = file.pathname.split('/').at(-1)!
      const { id } = await ada.upload(
        project,
        new File([new Uint8Array(await readFile(file))], name, { type: 'application/pdf' }),
      )
      await work(api.documentExtract(id), { method: 'text' })
      const extracted = await read(id)
      expect(extracted.status).toBe('completed')
      const pages = splitPages(extracted.extracted_text!)
      expect(pages).toHaveLength(extracted.page_count!)

      await work(api.documentAnalyze(id), {})
      const analyzed = await read(id)
      expect(analyzed).toMatchObject({ status: 'completed', analysis_model: 'Built-in (offline, extractive)' })
      expect(analyzed.analyzed_at).not.toBeNull()
      expect(analyzed.summary).toMatch(/[.!?]["”’)]*$/)
      expect(analyzed.insights.length).toBeGreaterThan(0)
      expect(analyzed.evidence_level).toMatch(/^(Level [1-5]: .+|Unknown)$/)
      // The built-in model quotes: the text contains every returned sentence at the place of its passage.
      const quoted = analyzed.passages.filter((passage) =>
        ['summary', 'insights', 'lifestyle_recommendations'].includes(passage.field),
      )
      expect(quoted.length).toBeGreaterThan(0)
      for (const passage of quoted) {
        expect([passage.statement, passage.match]).not.toEqual([passage.statement, 'none'])
        const page = pages.find((one) => one.page === passage.page)!
        expect(page.text.slice(passage.start!, passage.end!).length).toBeGreaterThan(10)
      }

      await work(api.documentVectorize(id), {})
      const twice = await ada.fetch(api.documentVectorize(id), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      expect([twice.status, ((await twice.json()) as { error: { message: string } }).error.message]).toEqual([
        409,
        'This document has already been vectorized. Use the force option to re-vectorize.',
      ])

      const { data: answer } = await ada.json<{ data: ChatAnswer }>(api.documentChat(id), { body: { question } })
      expect(answer.answer).toContain(gold)
      expect(answer.sources.length).toBeGreaterThan(0)
      expect(answer.sources.length).toBeLessThanOrEqual(3)
      expect(answer.model).toBe('Built-in (offline, extractive)')
      const cited = answer.statements.flatMap((statement) => statement.passages)
      expect(cited.length).toBeGreaterThan(0)
      for (const passage of cited) {
        expect(passage.match).not.toBe('none')
        const page = pages.find((one) => one.page === passage.page)!
        expect(page.text.slice(passage.start!, passage.end!).trim()).not.toBe('')
      }
    },
    240_000,
  )
})
