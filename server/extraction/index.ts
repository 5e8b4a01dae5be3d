/** The door to everything that turns a PDF into text. */
export { extractText, type ReadOptions } from './extract-text.ts'
export { ocrDocument, type OcrOptions } from './ocr-document.ts'
export { startExtraction } from './service.ts'
export { stopExtraction } from './stop.ts'
export type { ExtractedText } from '#shared/read-pdf.ts'
