import { env } from '#server/lib/env.ts'
import { findFailedState, forgetState, type JobRun } from '#server/queue/queue.ts'
import { storableText } from '#shared/text/storable-text.ts'

/** The pages of a document that a vision model has read, and a function that stores another one. */
export interface PaidPages {
  texts: ReadonlyMap<number, string>
  /** Throws if the job was cancelled, or if another process runs it. */
  add: (page: number, text: string) => Promise<void>
}

/**
 * The pages of a document that a vision model has read: the state of a job of the kind 'ocr'. `texts` has page numbers as keys.
 */
interface OcrState {
  model: string
  /** The storage key of the PDF, which differs if the document has another file since. */
  file: string
  texts: Record<string, string>
}

/**
 * Returns the pages that earlier attempts of a job have read in the PDF `file` with the current vision model, or the latest job
 * of the document if that job failed or was cancelled. The state of the job stores each page until the job is completed,
 * because calls of a vision model can cost money.
 */
export async function paidPages(
  { documentId, file }: { documentId: string; file: string },
  { job, state, saveState, atCompletion }: Pick<JobRun, 'job' | 'state' | 'saveState' | 'atCompletion'>,
): Promise<PaidPages> {
  const model = env.AI_VISION_MODEL ?? ''
  const stored = (state ?? (await findFailedState(documentId, job.kind))) as unknown as OcrState | null
  const known = stored?.model === model && stored.file === file ? Object.entries(stored.texts) : []
  const texts = new Map(known.map(([page, text]) => [Number(page), text]))
  atCompletion((tx) => forgetState(tx, job.id))
  // Sequential, so that an older state never overwrites a newer one.
  let saving: Promise<void> = Promise.resolve()
  return {
    texts,
    add: (page, text) => {
      texts.set(page, storableText(text))
      return (saving = saving.then(() =>
        saveState({ model, file, texts: Object.fromEntries(texts) } satisfies OcrState),
      ))
    },
  }
}
