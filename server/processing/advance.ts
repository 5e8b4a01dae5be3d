import { embeddingModel } from '#server/ai/index.ts'
import { startAnalysis } from '#server/analysis/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { startExtraction } from '#server/extraction/index.ts'
import { startVectorizing } from '#server/retrieval/index.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { ExtractionMethod, ProcessStep } from '#shared/contract/processing.ts'
import type { ProcessedDocument } from './queries.ts'

interface StepOptions {
  /** Method of the extraction. */
  method: ExtractionMethod
  /** Codes of the languages of pages that OCR reads. Default: all of the server. */
  ocr_languages?: string[] | undefined
  /** Prompt of the analysis; null means the default prompt. */
  prompt_id: string | null
  /** Repeats completed steps. */
  force: boolean
  /** Set for automatic processing by the project. The jobs are then paused and cancelled with the upload of their document. */
  automatic?: true
}

/**
 * Starts the first of `steps` that the document needs, and returns it with its job; null when the document needs none.
 * Throws the error of a step that cannot start. `onStep` is called before the step starts.
 */
export async function advance(
  actor: Actor,
  document: ProcessedDocument,
  steps: readonly ProcessStep[],
  options: StepOptions,
  onStep?: (step: ProcessStep) => void,
): Promise<{ step: ProcessStep; job: string } | null> {
  const step = steps.find((one) => options.force || !isDone(document, one, options.method))
  if (!step) return null
  onStep?.(step)
  return { step, job: (await startStep(actor, document.id, step, options)).id }
}

function startStep(actor: Actor, id: string, step: ProcessStep, options: StepOptions): Promise<Job> {
  const { method, ocr_languages, prompt_id: promptId, automatic } = options
  if (step === 'extract') return startExtraction(actor, id, { method, ocr_languages })
  if (step === 'analyze') return startAnalysis(actor, id, { promptId, ...(automatic ? { automatic } : {}) })
  return startVectorizing(actor, id, { force: true, automatic })
}

/**
 * Returns whether a step is done. Vectors of another model do not count, because a search does not compare them. A paper without
 * a PDF needs no extraction. A doubtful text layer does not count when OCR may read the pages.
 */
function isDone(document: ProcessedDocument, step: ProcessStep, method: ExtractionMethod): boolean {
  if (step === 'analyze') return document.analyzed_at !== null
  if (step === 'vectorize')
    return document.vectorized_at !== null && document.embedding_model === embeddingModel().model
  if (document.has_only_abstract) return true
  return (
    document.has_text && !(method !== 'text' && document.extraction_method !== 'ocr' && document.text_warning !== null)
  )
}
