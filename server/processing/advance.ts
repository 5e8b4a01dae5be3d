import { embeddingModel } from '#server/ai/index.ts'
import { startAnalysis } from '#server/analysis/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { startExtraction } from '#server/extraction/index.ts'
import { startVectorizing } from '#server/retrieval/index.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { ExtractionMethod, ProcessStep } from '#shared/contract/processing.ts'
import type { ProcessedDocument } from './queries.ts'

interface StepOptions {
  /** The method of the text extraction. */
  method: ExtractionMethod
  /** The codes of the languages that OCR recognizes. The default is all languages of the server. */
  ocr_languages?: string[] | undefined
  /** The id of the prompt for the analysis; null means the default prompt. */
  prompt_id: string | null
  /** If true, completed steps run again. */
  force: boolean
  /**
   * Set if the project's automatic processing starts the step. The job is then paused and cancelled together with the
   * document's upload.
   */
  automatic?: true
}

/**
 * Starts the first of the processing `steps` (extract, analyze, vectorize) that the document still needs. Returns this step and
 * the id of its job, or null if the document needs none of the steps. With `options.force`, every step counts as needed. Calls
 * `onStep` before the step starts. Throws the error of a step that cannot start.
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
 * Returns whether a document does not need a step any more. Vectors of another embedding model do not count, because a search
 * cannot compare them. A paper without a PDF needs no extraction. A text layer with a warning does not count if `method` allows
 * OCR.
 */
function isDone(document: ProcessedDocument, step: ProcessStep, method: ExtractionMethod): boolean {
  if (step === 'analyze') return document.has_current_analysis
  if (step === 'vectorize')
    return document.vectorized_at !== null && document.embedding_model === embeddingModel().model
  if (document.has_only_abstract) return true
  return (
    document.has_text && !(method !== 'text' && document.extraction_method !== 'ocr' && document.text_warning !== null)
  )
}
