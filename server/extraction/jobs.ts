import { type CompletedJob, registerWorker } from '#server/queue/queue.ts'
import { workerCount } from './limits.ts'
import { endExtraction, type QueuedExtraction, runExtraction } from './service.ts'

/** Time limit of an OCR job. A thousand scanned pages take about half an hour on two cores. */
const OCR_LIMIT_SECONDS = 4 * 3600

/**
 * Registers the handlers of the jobs `extract` and `ocr`. As many text layers as there are workers are read at the same time,
 * but only one scan, because its pages use all workers. `onCompleted` is called after each completed extraction.
 */
export function registerJobs(onCompleted: (completed: CompletedJob<QueuedExtraction>) => Promise<void>): void {
  registerWorker<QueuedExtraction>('extract', (run) => runExtraction('text', run), {
    concurrency: workerCount(),
    onFailed: endExtraction,
    onCompleted,
  })
  registerWorker<QueuedExtraction>('ocr', (run) => runExtraction('ocr', run), {
    concurrency: 1,
    timeLimitSeconds: OCR_LIMIT_SECONDS,
    onFailed: endExtraction,
    onCompleted,
  })
}
