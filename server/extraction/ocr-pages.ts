import { join } from 'node:path'
import { type AiContext, hasVision, isOfOneRequest, readPageImage } from '#server/ai/index.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { layoutDocument, type PageItems } from '#shared/pdf-text/page-layout.ts'
import type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'
import { eachPage, eachPageTolerant, toleranceOf } from './each-page.ts'
import { inspectPdf, type ReadOptions } from './extract-text.ts'
import { IDLE_MS, workerCount } from './limits.ts'
import { MAX_OCR_PAGES, OCR_MEMORY_MB, OCR_PAGE_TIMEOUT_MS, VISION_PAGES_AT_A_TIME } from './ocr-limits.ts'
import { fillLanguageFolder } from './language-folder.ts'
import { languagesFor } from './ocr-languages.ts'
import type { OcrTask } from './ocr.worker.ts'
import type { PaidPages } from './paid-pages.ts'
import { READING_ERRORS } from './pool-errors.ts'
import { refusal } from './refusal.ts'
import { createWorkerPool } from '#server/workers/worker-pool.ts'

export interface OcrOptions extends ReadOptions {
  /** Pages to read, counted from 1. Default: all pages. */
  pages?: readonly number[]
  /** Codes of the languages of the built-in engine. Default: all of OCR_LANGUAGES. */
  languages?: readonly string[] | undefined
  /** The context with which calls of the vision model are recorded. */
  ctx: AiContext
  /** The pages that a vision model has already read. It does not read them again. */
  paid?: PaidPages | undefined
}

const LANGUAGE_FOLDER = join(env.DATA_DIR, 'ocr')

const pool = createWorkerPool({
  script: new URL('./ocr.worker.ts', import.meta.url),
  size: workerCount(),
  memoryMb: OCR_MEMORY_MB,
  queueLimit: 1000,
  idleMs: IDLE_MS,
  countsProcessorTime: true,
  errors: READING_ERRORS,
})

/** The result of OCR. `texts` has the text of each page that could be read, by page number counted from 1. */
export interface OcrText extends Pick<ExtractedText, 'pageCount' | 'metadata' | 'firstPage'> {
  texts: ReadonlyMap<number, string>
}

/**
 * Reads pages of the PDF file at `path` by OCR, several at a time: with the vision model if it is configured, else with the
 * built-in engine. The result lacks a page that the engine fails twice to read, or that the model does not finish. Throws an
 * AppError if the file cannot be opened (see extractText) or has too many pages, if more than half of the pages fail, and for
 * an error of the provider that concerns all pages. An aborted signal aborts the pages that are being read.
 */
export async function ocrPages(path: string, options: OcrOptions): Promise<OcrText> {
  const person = options.ctx.userId ?? undefined
  const { pageCount, metadata } = await inspectPdf(path, { ...options, person })
  const wanted = options.pages ?? Array.from({ length: pageCount }, (_, index) => index + 1)
  if (wanted.length > MAX_OCR_PAGES) {
    throw new AppError(
      'refused',
      `${wanted.length} pages of this PDF need OCR; at most ${MAX_OCR_PAGES} can be read by OCR.`,
    )
  }
  const languages = languagesFor(options.languages)
  if (!hasVision()) await fillLanguageFolder(LANGUAGE_FOLDER, languages)
  const ofEngine = { languages: languages.map(({ code }) => code), languageFolder: LANGUAGE_FOLDER }
  const read = (page: number, output: OcrTask['output'], signal: AbortSignal) => {
    const task: OcrTask = { path, password: options.password, page, output, ...ofEngine }
    return pool.run(task, { person, timeoutMs: OCR_PAGE_TIMEOUT_MS, signal }).catch(refusal)
  }
  if (hasVision()) {
    const lose = toleranceOf(wanted)
    const readImage = async (page: number, signal: AbortSignal): Promise<string | null> => {
      const known = options.paid?.texts.get(page)
      if (known !== undefined) return known
      const image = await read(page, 'png', signal).catch((error: unknown) => lose(error, signal))
      if (image === null) return null
      // Calls of the model have their own retries. Most failures (a budget, a refused key) concern every page.
      const text = await readPageImage(image as Uint8Array, { ...options.ctx, signal }).catch((error: unknown) => {
        if (!isOfOneRequest(error)) throw error
        return lose(error, signal)
      })
      if (text !== null) await options.paid?.add(page, text)
      return text
    }
    const texts = await eachPage(wanted, { ...options, atATime: VISION_PAGES_AT_A_TIME }, readImage)
    const firstPage = { width: 0, height: 0, lines: [] }
    return { texts: byPage(wanted, texts), pageCount, metadata, firstPage }
  }
  const readWords = (page: number, signal: AbortSignal) => read(page, 'items', signal) as Promise<PageItems>
  const pages = await eachPageTolerant(wanted, { ...options, atATime: pool.size }, readWords)
  const { texts, firstPage } = layoutDocument(pages.map((items) => items ?? EMPTY_PAGE))
  const known = texts.map((text, index) => (pages[index] === null ? null : text))
  return { texts: byPage(wanted, known), pageCount, metadata, firstPage }
}

const EMPTY_PAGE: PageItems = { items: [], view: [0, 0, 0, 0], rotate: 0 }

/** Returns the texts by their pages, without the texts that are null. */
const byPage = (pages: readonly number[], texts: readonly (string | null)[]) =>
  new Map(
    pages.flatMap((page, index) => {
      const text = texts[index] ?? null
      return text === null ? [] : [[page, text] as const]
    }),
  )
