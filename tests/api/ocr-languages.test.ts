import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Site } from '#shared/contract/site.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * The codes of the installed OCR languages in the order in which the server lists them: first those of OCR_LANGUAGES, then the
 * other packages and the file in OCR_LANGUAGE_DIR.
 */
const INSTALLED = ['fra', 'eng', 'deu', 'ita', 'kor', 'nld', 'por', 'spa', 'xfr']
const GERMAN = ['Die Größe der Kühe ändert', 'sich über Jahre; große Öfen', 'heißen dort Grüße.']
const FRENCH = ['Les élèves mangent très tôt,', 'même à Noël, quand tout', 'semble déjà passé.']

let folder: string
let server: TestServer
let ada: Client
let paper: string
let german: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-languages-'))
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/fra/package.json'))
  // A language without a package: the data of French, uncompressed.
  const french = gunzipSync(await readFile(join(data, '4.0.0_best_int/fra.traineddata.gz')))
  await writeFile(join(folder, 'xfr.traineddata'), french)
  // Data for the older engine only. It is not offered.
  await writeFile(join(folder, 'xold.traineddata'), Buffer.alloc(1000))
  server = await startServer({ env: { OCR_LANGUAGES: 'fra,osd,eng', OCR_LANGUAGE_DIR: folder } })
  ada = await signUp(server.url)
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Languages' } })).data.id
  const upload = async (lines: string[], name: string) =>
    (await ada.upload(project, new File([onePagePdf(lines)], name, { type: 'application/pdf' }))).id
  paper = await upload(FRENCH, 'ecoles.pdf')
  german = await upload(GERMAN, 'kuehe.pdf')
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function read(languages?: string[], id = paper): Promise<string> {
  const body = { method: 'ocr', ...(languages ? { ocr_languages: languages } : {}) }
  const { data } = await ada.json<{ data: Job }>(api.documentExtract(id), { body })
  expect((await ada.job(data.id)).status).toBe('completed')
  const { extracted_text } = (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
  return splitPages(extracted_text!)[0]!.text.replaceAll(/\s+/g, ' ')
}

it('The site names the installed languages of OCR, and those that it reads without a choice', async () => {
  const site = (await ada.json<{ data: Site }>(api.site())).data
  expect(site.ai.ocr_languages).toEqual(INSTALLED)
  expect(site.ai.ocr_standard_languages).toEqual(['fra', 'eng'])
})

it('OCR reads a page in the chosen language, from a package or from the folder of the operator', async () => {
  const french = FRENCH.join(' ')
  expect(await read(['eng'])).not.toBe(french)
  expect(await read(['fra'])).toBe(french)
  expect(await read(['xfr'])).toBe(french)
})

it('OCR reads German text with umlauts', async () => {
  expect(await read(['deu'], german)).toBe(GERMAN.join(' '))
})

it('OCR without a chosen language reads those of OCR_LANGUAGES', async () => {
  expect(await read()).toContain('élèves')
})

it('A language that the server does not have is refused', async () => {
  const body = { method: 'ocr', ocr_languages: ['tlh'] }
  for (const path of [api.documentExtract(paper), api.documentsProcess()])
    await expect(ada.json(path, { body: { ...body, document_ids: [paper], steps: ['extract'] } })).rejects.toThrow(
      `The OCR of this server reads ${INSTALLED.join(', ')}, and not \\"tlh\\".`,
    )
})
