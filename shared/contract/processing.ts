import { z } from 'zod'
import { instant } from './calendar-day.ts'
import { textWarning } from './documents.ts'
import { jobKind } from './jobs.ts'

/** Steps of a bulk run (a job for several documents), in the order in which they run for a document. */
export const PROCESS_STEPS = ['extract', 'analyze', 'vectorize'] as const
export const processStep = z.enum(PROCESS_STEPS)
export type ProcessStep = z.infer<typeof processStep>

export const NO_PDF = 'This paper has no PDF. Upload one first.'
export const NOTHING_TO_READ = 'This paper has neither a PDF nor an abstract. Upload a PDF or add the abstract first.'
export const NOTHING_TO_READ_IN_ANY =
  'None of these papers has a PDF or an abstract. Upload PDFs or add abstracts first.'

/** Maximum number of documents in one bulk run (a job for several documents). */
export const PROCESS_MAX = 500

/**
 * Methods of the extraction of text. 'text': the text layer. 'auto': the text layer, and OCR for the pages without a usable
 * text layer.
 */
export const extractionMethod = z.enum(['auto', 'text', 'ocr'])
export type ExtractionMethod = z.infer<typeof extractionMethod>

/** The languages of OCR, by their codes at Tesseract. */
export const ocrLanguageCodes = z
  .array(z.string().max(40))
  .min(1)
  .max(20)
  .describe(
    'the languages of the pages that OCR reads, some of `ai.ocr_languages` of GET /api/site; default: `ai.ocr_standard_languages`. A vision model ignores them',
  )

/** Body of POST /api/documents/process. */
export const processInput = z.object({
  document_ids: z.array(z.uuid()).min(1, 'No valid documents to process').max(PROCESS_MAX),
  steps: z.array(processStep).min(1, 'Choose at least one step'),
  method: extractionMethod
    .default('text')
    .describe(
      "method of the extraction: text layer, OCR, or the text layer with OCR of the pages without one ('auto', which the web app selects first)",
    ),
  ocr_languages: ocrLanguageCodes.optional(),
  prompt_id: z.uuid().nullish().describe('prompt of the analysis; default: the default prompt'),
  force: z.boolean().default(false).describe('repeat completed steps'),
})
export type ProcessInput = z.infer<typeof processInput>

/**
 * A warning about the extracted text of a document. 'offer': a new OCR found less text than the document already has. Both
 * texts are stored, and the user must choose one of them. The other values are those of `textWarning`.
 */
export const processWarning = z.enum([...textWarning.options, 'offer'])
export type ProcessWarning = z.infer<typeof processWarning>

/** The result of a job of kind 'process', which extracts, analyzes and vectorizes several documents. */
export const processResult = z.object({
  total: z.number().int(),
  done: z.number().int().describe('documents with at least one executed step'),
  unchanged: z.number().int().describe('documents whose steps were all completed before'),
  warned: z
    .array(z.object({ document_id: z.uuid(), title: z.string(), warning: processWarning }))
    .default([])
    .describe('documents with an unreliable extracted text, and the reason'),
  failed: z.array(z.object({ document_id: z.uuid(), title: z.string(), step: processStep, error: z.string() })),
})
export type ProcessResult = z.infer<typeof processResult>

/** Maximum number of failed documents that GET /api/projects/{id}/progress lists. */
export const FAILED_SHOWN = 20

/**
 * Query parameters of GET /api/projects/{id}/progress. `upload_id` selects the documents of an upload, `since` the documents
 * that were added after a time. Without both, all documents are counted.
 */
export const progressQuery = z.object({
  since: instant.optional(),
  upload_id: z.uuid().optional(),
})
export type ProgressQuery = z.infer<typeof progressQuery>

/** Body of PATCH /api/uploads/{id}, which pauses or continues the processing of the uploaded documents. */
export const uploadPatch = z.object({ is_paused: z.boolean() })

/** The state of an upload. `is_paused` is true while the processing of its documents is paused. */
export const uploadState = z.object({ id: z.uuid(), is_paused: z.boolean() })
export type UploadState = z.infer<typeof uploadState>

/** A paused upload of a project. The documents of the upload wait until a user continues it. */
export const pausedUpload = z.object({
  id: z.uuid(),
  created_by: z.object({ id: z.string(), name: z.string() }),
  is_own: z.boolean().describe('the caller uploaded the documents'),
  may_resume: z.boolean().describe('the caller may edit the documents of the upload'),
})
export type PausedUpload = z.infer<typeof pausedUpload>

/** Response to the cancellation of an upload. */
export const cancelledUpload = uploadState.extend({
  continuing: z.number().int().describe('steps that other members of the project started: only these can cancel them'),
})
export type CancelledUpload = z.infer<typeof cancelledUpload>

/** The progress of the processing of a project's documents. */
export const projectProgress = z.object({
  total: z.number().int(),
  ready: z.number().int().describe('documents that can be asked questions'),
  open: z.number().int().describe('documents with work that is queued or running'),
  waiting: z.number().int().describe('open documents whose work is queued and does not run'),
  failed: z.number().int().describe('documents with the status error, or whose last vectorizing failed'),
  is_paused: z.boolean().describe('the processing of the upload is paused'),
  seconds_left: z
    .number()
    .int()
    .nullable()
    .describe('estimated time until the open documents of the upload are ready; null if unknown'),
  failures: z
    .array(
      z.object({
        document_id: z.uuid(),
        title: z.string(),
        step: jobKind.nullable().describe('kind of the job that failed; null without one'),
        message: z.string(),
        error_code: z.string().nullable().describe('the code of the error, as in error responses; null without one'),
      }),
    )
    .describe(`the latest failed documents, at most ${FAILED_SHOWN}`),
})
export type ProjectProgress = z.infer<typeof projectProgress>
