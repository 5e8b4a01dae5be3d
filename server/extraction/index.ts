/** Public functions of server/extraction: the extraction of text from PDFs. */
export { extractText, type ReadOptions } from './extract-text.ts'
export { checkLanguages, ocrChoices, ocrLanguages, ocrStandard } from './ocr-languages.ts'
export type { OcrOptions } from './ocr-pages.ts'
export { readAllByOcr } from './read-document.ts'
export { startExtraction } from './service.ts'
export type { ExtractedText } from '#shared/pdf-text/read-pdf.ts'
