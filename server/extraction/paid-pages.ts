import { env } from '#server/lib/env.ts'
import { findFailedState, forgetState, type JobRun } from '#server/queue/queue.ts'
import { storableText } from '#shared/text/storable-text.ts'

/**
 * The pages of a document that a vision model has read, by page number counted from 1, and a function that stores another page.
 */
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
 * Returns the pages of the PDF `file` (its storage key) that the current vision model has already read, so that they are not
 * paid for twice. The pages come from the stored state of this job, which earlier attempts wrote. Without such a state, they
 * come from the previous job of the document, if that job failed or was cancelled. The function `add` of the result stores
 * another page in the state of the job; the state is deleted when the job is completed.
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
