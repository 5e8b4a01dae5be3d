import { functionWordShare, isSparse, judgeTextLayer } from '#shared/pdf-text/judge-text-layer.ts'
import { hasWords, joinPages, pageTexts } from '#shared/pdf-text/page-text.ts'
import type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'
import { extractText, type ReadOptions } from './extract-text.ts'
import { type OcrOptions, ocrPages } from './ocr-pages.ts'
import { isUnreadable } from './refusal.ts'

/** A text layer with a smaller share of function words ('the', 'of') may be garbled. */
const GARBLED_SHARE = 0.08
/**
 * Minimum difference between the shares of function words in the OCR text and in a garbled text layer for which the OCR text is
 * used.
 */
const GAIN = 0.03

/** The text of a document. Pages are counted from 1. */
export interface ReadDocument extends ExtractedText {
  /** The pages whose text comes from OCR. */
  ocrPages: number[]
  /** The pages without a usable text layer that OCR has not read. */
  pagesForOcr: number[]
}

/**
 * Reads the text layer of the PDF file at `path` and finds the pages that need OCR. Throws an AppError if the file cannot be
 * read, for example 'password_required' or 'refused' (see extractText), or the reason of the signal.
 */
export async function readTextLayer(path: string, options: ReadOptions): Promise<ReadDocument> {
  return { ...(await extractText(path, options)), ocrPages: [] }
}

/**
 * Reads the given pages of the PDF file at `path` by OCR and all other pages by their text layer. For a page that OCR has read,
 * uses the better of two texts: the OCR text or the text layer.
 */
export async function readTextLayerAndOcr(
  path: string,
  options: OcrOptions & { pages: readonly number[] },
): Promise<ReadDocument> {
  const { onProgress: _, ...quiet } = options
  const layer = await extractText(path, quiet)
  const read = await ocrPages(path, options).catch((error: unknown) => {
    // If OCR fails, the text layers of the other pages are still useful.
    if (isUnreadable(error) && hasWords(layer.text)) return null
    throw error
  })
  const before = pageTexts(layer)
  const replaced = new Map([...(read?.texts ?? [])].filter(([page, text]) => isBetter(text, before[page - 1] ?? '')))
  const texts = before.map((text, index) => replaced.get(index + 1) ?? text)
  const warning = layer.warning === 'damaged' ? 'damaged' : isSparse(texts) ? 'sparse' : judgeTextLayer(texts)
  return {
    ...layer,
    text: joinPages(texts),
    warning: warning === 'scan' ? 'sparse' : warning,
    firstPage: replaced.has(1) ? read!.firstPage : layer.firstPage,
    ocrPages: [...replaced.keys()],
    pagesForOcr: [],
  }
}

/**
 * Reads all pages of the PDF file at `path` by OCR. The result has the `warning` 'damaged' if some pages could not be read.
 * Throws an AppError if the file cannot be opened, has too many pages, or if more than half of the pages cannot be read. Throws
 * the reason of the signal when aborted.
 */
export async function readAllByOcr(path: string, options: OcrOptions): Promise<ReadDocument> {
  const { texts, ...facts } = await ocrPages(path, options)
  const pages = Array.from({ length: facts.pageCount }, (_, index) => texts.get(index + 1) ?? '')
  const warning = texts.size < facts.pageCount ? 'damaged' : isSparse(pages) ? 'sparse' : null
  return { ...facts, text: joinPages(pages), warning, ocrPages: [...texts.keys()], pagesForOcr: [] }
}

/**
 * Returns whether the OCR text of a page is better than its text layer. If the text layer is garbled, the OCR text is better if
 * it has a larger share of function words, otherwise if it has more letters and digits.
 */
function isBetter(ocr: string, layer: string): boolean {
  const [share, before] = [functionWordShare(ocr), functionWordShare(layer)]
  if (share !== null && before !== null && before < GARBLED_SHARE) return share > before + GAIN
  return lettersOf(ocr) > lettersOf(layer)
}

const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
