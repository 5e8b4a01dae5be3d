import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { ExtractedText, PdfDocument } from '#shared/pdf-text/read-pdf.ts'
import { pagesForOcr } from '#shared/pdf-text/judge-text-layer.ts'
import { pageTexts } from '#shared/pdf-text/page-text.ts'
import { readMetadata, readPdf, TooManyPages } from '#shared/pdf-text/read-pdf.ts'
import type { PDFDocumentLoadingTask } from 'pdfjs-dist'
import { getDocument, PasswordResponses } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'

/** A task of the worker: read the text layer of a PDF, or, with `inspect`, only the page count and metadata. */
export interface TextTask {
  path: string
  password?: string
  inspect?: boolean
}

/** A text layer, and the pages (counted from 1) that OCR should read. */
export type TextLayer = ExtractedText & { pagesForOcr: number[] }

export type Inspection = Pick<ExtractedText, 'pageCount' | 'metadata'>

const assets = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const port = parentPort!

port.on('message', (task: TextTask) => void answer(task))

async function answer(task: TextTask) {
  const send = (message: WorkerMessage) => port.postMessage(message)
  let lastSent = 0
  try {
    const loading = await open(task)
    try {
      const pdf = (await loading.promise) as unknown as PdfDocument
      const result: TextLayer | Inspection = task.inspect
        ? { pageCount: pdf.numPages, metadata: await readMetadata(pdf) }
        : await readLayer(pdf, (page, pages) => {
            if (performance.now() - lastSent < 100 && page < pages) return
            lastSent = performance.now()
            send({ progress: { page, pages } })
          })
      send({ result })
    } finally {
      await loading.destroy()
    }
  } catch (error) {
    send({ failure: failureOf(error) })
  }
}

async function readLayer(pdf: PdfDocument, onPage: (page: number, pages: number) => void): Promise<TextLayer> {
  const read = await readPdf(pdf, onPage)
  return { ...read, pagesForOcr: pagesForOcr(pageTexts(read)) }
}

async function open(task: TextTask): Promise<PDFDocumentLoadingTask> {
  const data = new Uint8Array(await readFile(task.path))
  return getDocument({
    data,
    password: task.password,
    cMapUrl: `${join(assets, 'cmaps')}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(assets, 'standard_fonts')}/`,
    wasmUrl: `${join(assets, 'wasm')}/`,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: 0,
  })
}

function failureOf(error: unknown): { code: string; message: string } {
  const { name = '', message = '', code } = error as { name?: string; message?: string; code?: unknown }
  if (name === 'PasswordException')
    return { code: code === PasswordResponses.INCORRECT_PASSWORD ? 'password_wrong' : 'password_required', message: '' }
  if (error instanceof TooManyPages) return { code: 'too_many_pages', message: error.message }
  if (code === 'ENOENT') return { code: 'missing', message: '' }
  return { code: 'broken', message: `${name}: ${message}` }
}
