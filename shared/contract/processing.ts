import { z } from 'zod'
import { textWarning } from './documents.ts'

/** Steps of a bulk run, in the order in which they run. */
export const PROCESS_STEPS = ['extract', 'analyze', 'vectorize'] as const
export const processStep = z.enum(PROCESS_STEPS)
export type ProcessStep = z.infer<typeof processStep>

/** Maximum number of documents in one run. */
export const PROCESS_MAX = 500

/** POST /api/documents/process. */
export const processInput = z.object({
  document_ids: z.array(z.uuid()).min(1, 'No valid documents to process').max(PROCESS_MAX),
  steps: z.array(processStep).min(1, 'Choose at least one step'),
  method: z.enum(['text', 'ocr']).default('text').describe('method of the extraction: text layer or OCR'),
  prompt_id: z.uuid().nullish().describe('prompt of the analysis; default: the default prompt'),
  force: z.boolean().default(false).describe('repeat completed steps'),
})
export type ProcessInput = z.infer<typeof processInput>

/** The result of a job of kind 'process'. */
export const processResult = z.object({
  total: z.number().int(),
  done: z.number().int().describe('documents with at least one executed step'),
  unchanged: z.number().int().describe('documents whose steps were all completed before'),
  warned: z
    .array(z.object({ document_id: z.uuid(), title: z.string(), warning: textWarning }))
    .default([])
    .describe('documents with an unreliable extracted text, and the reason'),
  failed: z.array(z.object({ document_id: z.uuid(), title: z.string(), step: processStep, error: z.string() })),
})
export type ProcessResult = z.infer<typeof processResult>
