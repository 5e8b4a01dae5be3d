import { readFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import type { PageItems } from '#shared/pdf-text/page-layout.ts'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { OCR_DPI, OCR_MAX_PIXELS } from './ocr-limits.ts'
import { ocrPageItems } from './ocr-page-items.ts'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'

/**
 * A task of the worker: read one page (counted from 1) of the PDF file at `path`. The result is the words of the page, or its
 * image as a PNG for a vision model.
 */
export interface OcrTask {
  path: string
  password?: string
  page: number
  output: 'items' | 'png'
  /** Codes of the languages of the page, the most frequent one first. `languageFolder` is the folder with their data files. */
  languages: readonly string[]
  languageFolder: string
}

type EngineLanguages = Pick<OcrTask, 'languages' | 'languageFolder'>

interface Picture {
  grey: Uint8Array
  width: number
  height: number
  /** Pixels per point. */
  scale: number
  /** The page's size in points. */
  size: { width: number; height: number }
}

const port = parentPort!
const pdfium = PDFiumLibrary.init()
let started: { languages: string; engine: Promise<Worker> } | undefined
let opened: { path: string; document: PDFiumDocument } | undefined

port.on('message', (task: OcrTask) => void answer(task))

async function answer(task: OcrTask) {
  const send = (message: WorkerMessage) => port.postMessage(message)
  try {
    const picture = await draw(await open(task), task.page)
    send({ result: task.output === 'png' ? await png(picture) : await recognize(picture, task) })
  } catch (error) {
    send({ failure: { code: 'broken', message: error instanceof Error ? error.message : String(error) } })
  }
}

/** Opens a PDF and caches it until another one is opened, because the pages of a PDF are requested one after the other. */
async function open({ path, password }: OcrTask): Promise<PDFiumDocument> {
  if (opened?.path === path) return opened.document
  opened?.document.destroy()
  opened = undefined
  const document = await (await pdfium).loadDocument(await readFile(path), password)
  opened = { path, document }
  return document
}

async function draw(document: PDFiumDocument, page: number): Promise<Picture> {
  const handle = document.getPage(page - 1)
  const { originalWidth: width, originalHeight: height } = handle.getOriginalSize()
  const scale = Math.min(OCR_DPI / 72, Math.sqrt(OCR_MAX_PIXELS / Math.max(1, width * height)))
  // A page handle can be rendered once only, so each call requests a new one.
  const drawn = await document.getPage(page - 1).render({ scale, colorSpace: 'Gray', render: 'bitmap' })
  return { grey: drawn.data, width: drawn.width, height: drawn.height, scale, size: { width, height } }
}

/**
 * Recognizes the words of a page image. Uses Tesseract's page segmentation mode 3, which separates columns; the default mode of
 * the library reads across columns.
 */
async function recognize(
  { grey, width, height, scale, size }: Picture,
  languages: EngineLanguages,
): Promise<PageItems> {
  if (isBlank(grey)) return { items: [], view: [0, 0, size.width, size.height], rotate: 0 }
  // A portable graymap needs no encoding.
  const image = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey])
  const { data } = await (await engineFor(languages)).recognize(image, {}, { text: false, blocks: true })
  return ocrPageItems(data.blocks ?? [], size, scale)
}

/** A pixel (0 to 255) counts as ink if it differs by more than this from the first pixel of the page. */
const INK_DIFFERENCE = 48
/** A page with a smaller share of ink is blank. A single line of text covers far more of a page. */
const BLANK_SHARE = 0.0001

/** Returns whether the pixels of a page have almost only one color. Such a page needs no recognition. */
function isBlank(grey: Uint8Array): boolean {
  const paper = grey[0] ?? 255
  const limit = BLANK_SHARE * grey.length
  let ink = 0
  for (const value of grey) if (Math.abs(value - paper) > INK_DIFFERENCE && ++ink > limit) return false
  return true
}

/**
 * Returns the OCR engine for the languages. The worker has only one engine at a time: an engine for other languages is
 * terminated and replaced.
 */
async function engineFor(wanted: EngineLanguages): Promise<Worker> {
  const languages = wanted.languages.join('+')
  if (started?.languages !== languages) {
    await (await started?.engine)?.terminate()
    started = { languages, engine: startEngine(wanted) }
  }
  return started.engine
}

async function startEngine({ languages, languageFolder: langPath }: EngineLanguages): Promise<Worker> {
  const worker = await createWorker([...languages], OEM.LSTM_ONLY, { langPath, cacheMethod: 'none' })
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO, user_defined_dpi: String(OCR_DPI) })
  return worker
}

async function png({ grey, width, height }: Picture): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  return sharp(grey, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 6 })
    .toBuffer()
}
