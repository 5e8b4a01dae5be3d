import { type AiContext, hasVision, readPageImage } from '#server/ai/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { isSparse } from '#shared/pdf-text/judge-text-layer.ts'
import { layoutDocument, type PageItems } from '#shared/pdf-text/page-layout.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'
import { inspectPdf, type ReadOptions } from './extract-text.ts'
import { IDLE_MS, workerCount } from './limits.ts'
import { MAX_OCR_PAGES, OCR_MEMORY_MB, OCR_PAGE_TIMEOUT_MS, VISION_PAGES_AT_A_TIME } from './ocr-limits.ts'
import type { OcrTask } from './ocr.worker.ts'
import { READING_ERRORS } from './pool-errors.ts'
import { refusal } from './refusal.ts'
import { createWorkerPool, type WorkerPool } from '#server/workers/worker-pool.ts'

export interface OcrOptions extends ReadOptions {
  /** Context under which calls of the vision model are recorded. */
  ctx: AiContext
}

let opened: WorkerPool | undefined

const pool = () =>
  (opened ??= createWorkerPool({
    script: new URL('./ocr.worker.ts', import.meta.url),
    size: workerCount(),
    memoryMb: OCR_MEMORY_MB,
    queueLimit: 1000,
    idleMs: IDLE_MS,
    errors: READING_ERRORS,
  }))

/**
 * Reads the pages of the PDF file at `path` by OCR: with the vision model if configured, else with the built-in engine,
 * several pages at a time. Throws as extractText does. Cancelling aborts the pages under way.
 */
export async function ocrDocument(path: string, options: OcrOptions): Promise<ExtractedText> {
  const person = options.ctx.userId ?? undefined
  const { pageCount, metadata } = await inspectPdf(path, { ...options, person })
  if (pageCount > MAX_OCR_PAGES) {
    throw new AppError('refused', `This PDF has ${pageCount} pages; at most ${MAX_OCR_PAGES} can be read by OCR.`)
  }
  const read = (page: number, output: OcrTask['output'], signal: AbortSignal) => {
    const task: OcrTask = { path, password: options.password, page, output }
    return pool().run(task, { person, timeoutMs: OCR_PAGE_TIMEOUT_MS, signal }).catch(refusal)
  }
  if (hasVision()) {
    const texts = await eachPage(pageCount, VISION_PAGES_AT_A_TIME, options, async (page, signal) => {
      const image = (await read(page, 'png', signal)) as Uint8Array
      return readPageImage(image, { ...options.ctx, signal })
    })
    const firstPage = { width: 0, height: 0, lines: [] }
    return { text: joinPages(texts), pageCount, warning: warningOf(texts), metadata, firstPage }
  }
  const pages = await eachPage(
    pageCount,
    pool().size,
    options,
    (page, signal) => read(page, 'items', signal) as Promise<PageItems>,
  )
  const { texts, firstPage } = layoutDocument(pages)
  return { text: joinPages(texts), pageCount, warning: warningOf(texts), metadata, firstPage }
}

const warningOf = (texts: readonly string[]) => (isSparse(texts) ? 'sparse' : null)

/** Runs `work` for every page, `atATime` at once; the first failure or a cancellation aborts the others. */
async function eachPage<T>(
  pages: number,
  atATime: number,
  options: OcrOptions,
  work: (page: number, signal: AbortSignal) => Promise<T>,
): Promise<T[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any(options.signal ? [options.signal, failed.signal] : [failed.signal])
  const results: T[] = []
  let next = 1
  let done = 0
  const lane = async () => {
    while (next <= pages) {
      signal.throwIfAborted()
      const page = next++
      results[page - 1] = await work(page, signal)
      options.onProgress?.(++done, pages)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atATime, pages) }, lane))
  } catch (error) {
    failed.abort(error)
    throw error
  }
  return results
}

/** Ends the workers, so that the process can exit. */
export async function stopOcrWorkers(): Promise<void> {
  await opened?.stop()
  opened = undefined
}
