import { readFile } from 'node:fs/promises'
import { PDFDocument } from 'pdf-lib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'

const server = sharedServer()
let ada: Client
let project: string

beforeAll(async () => {
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })).data.id
})

const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url))

/** A page of a fixture. `part`: only this fraction of its height, from the top, because OCR needs seconds for a whole page. */
type BoundPage = readonly [file: string, page: number, part?: number]

/** Creates a PDF of pages of fixtures. null creates a blank page. */
async function bind(pages: readonly (BoundPage | null)[]): Promise<File> {
  const bound = await PDFDocument.create()
  for (const page of pages) {
    if (!page) {
      bound.addPage([595, 842])
      continue
    }
    const [copy] = await bound.copyPages(await PDFDocument.load(await fixture(page[0])), [page[1] - 1])
    const { width, height } = copy!.getSize()
    const part = page[2] ?? 1
    copy!.setCropBox(0, height * (1 - part), width, height * part)
    bound.addPage(copy)
  }
  const bytes = new Uint8Array(await bound.save())
  return new File([bytes], 'bound.pdf', { type: 'application/pdf' })
}

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

async function extract(file: File): Promise<{ job: Job; document: DocumentDetail }> {
  const { id } = await ada.upload(project, file)
  const { data } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'auto' } })
  return { job: await ada.job(data.id), document: await read(id) }
}

describe('automatic extraction', () => {
  it('Automatic extraction reads a text layer without OCR', async () => {
    const { job, document } = await extract(await bind([['paper.pdf', 1]]))
    expect(job).toMatchObject({ kind: 'extract', status: 'completed', result: { pages: 1 } })
    expect(document).toMatchObject({ status: 'completed', extraction_method: 'text', ocr_pages: [] })
  })

  it('Automatic extraction uses OCR for a page that is only an image, and not for a blank page', async () => {
    const { job, document } = await extract(
      await bind([['paper.pdf', 1], ['paper-scan.pdf', 2, 0.6], null, ['paper.pdf', 3]]),
    )
    expect(job).toMatchObject({ kind: 'ocr', status: 'completed', result: { pages: 4 } })
    expect(document).toMatchObject({
      status: 'completed',
      extraction_method: 'ocr',
      ocr_pages: [2],
      text_warning: null,
    })
    const texts = splitPages(document.extracted_text!).map(({ text }) => text)
    const truth = (await fixture('paper.txt')).toString()
    const sentence = 'Walking outdoors is cheap and safe, but trials in older adults have been small'
    expect(texts[0]).toContain(sentence)
    const words = texts[1]!.match(/\p{L}{6,}/gu) ?? []
    expect(words.length).toBeGreaterThan(100)
    expect(words.filter((word) => truth.includes(word)).length / words.length).toBeGreaterThan(0.95)
    expect(texts[2]).toBe('')
  })

  it('Automatic extraction reads a garbled text layer by OCR', async () => {
    const { document } = await extract(await bind([['garbled.pdf', 1, 0.3]]))
    expect(document).toMatchObject({
      status: 'completed',
      extraction_method: 'ocr',
      ocr_pages: [1],
      text_warning: null,
    })
  })

  it('Automatic extraction that is cancelled during OCR leaves the document pending', async () => {
    const { id } = await ada.upload(
      project,
      await bind(Array.from({ length: 8 }, () => ['paper-scan.pdf', 1] as const)),
    )
    const { data } = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'auto' } })
    await expect
      .poll(async () => (await ada.json<{ data: Job }>(api.job(data.id))).data, { timeout: 60_000, interval: 100 })
      .toMatchObject({ kind: 'ocr', status: 'running' })
    await ada.json(api.jobCancel(data.id), { body: {} })
    await ada.job(data.id)
    expect(await read(id)).toMatchObject({ status: 'pending', extracted_text: null, ocr_pages: [] })
  })
})
