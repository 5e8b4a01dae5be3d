import { stopTextWorkers } from './extract-text.ts'
import { stopOcrWorkers } from './ocr-pages.ts'

/** Ends all workers of this room at once; their tasks fail. */
export const stopExtraction = () => Promise.all([stopTextWorkers(), stopOcrWorkers()])
