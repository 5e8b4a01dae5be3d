import { startAnalysis } from '#server/analysis/index.ts'
import { setAutomaticProcessing } from '#server/documents/index.ts'
import { startExtraction } from '#server/extraction/index.ts'
import { type CompletedJob, whenCompleted } from '#server/lib/jobs.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/lib/session.ts'
import { startVectorizing } from '#server/vectors/index.ts'

/**
 * The switch 'Process new documents automatically' of a project: a new document's text is extracted, then analysed with
 * the default prompt, then vectorised, each as a job of its own that people see and can cancel. A step that fails ends
 * the chain and says why on the document; a scan is not read by OCR unasked.
 */
export async function registerJobs(): Promise<void> {
  setAutomaticProcessing(async (actor, documentId) => {
    await startExtraction(actor, documentId, { method: 'text', automatic: true }).catch((error: unknown) => {
      log.warn({ err: error, document: documentId }, 'a new document could not be processed automatically')
    })
  })
  whenCompleted('extract', (completed) => next(completed, (actor, id) => startAnalysis(actor, id, { automatic: true })))
  whenCompleted('analyze', (completed) => next(completed, (actor, id) => startVectorizing(actor, id, { force: false })))
}

async function next({ job, ownerId, input }: CompletedJob, start: (actor: Actor, id: string) => Promise<unknown>) {
  if (input['automatic'] && job.document_id !== null) await start({ userId: ownerId, isAdmin: false }, job.document_id)
}
