import { stopTextWorkers } from './extract-text.ts'
import { stopOcrWorkers } from './ocr-document.ts'

/** Ends all workers of this room at once; what they had in hand fails. */
export const stopExtraction = () => Promise.all([stopTextWorkers(), stopOcrWorkers()])
