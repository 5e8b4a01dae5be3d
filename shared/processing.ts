import { z } from 'zod'
import { textWarning } from './documents.ts'

/** What can be done with many documents at once, in the order in which it is done. */
export const PROCESS_STEPS = ['extract', 'analyze', 'vectorize'] as const
export const processStep = z.enum(PROCESS_STEPS)
export type ProcessStep = z.infer<typeof processStep>

/** Documents of one run; more are taken in several. */
export const PROCESS_MAX = 500

/** POST /api/documents/process. */
export const processInput = z.object({
  document_ids: z.array(z.uuid()).min(1, 'No valid documents to process').max(PROCESS_MAX),
  steps: z.array(processStep).min(1, 'Choose at least one step'),
  method: z.enum(['text', 'ocr']).default('text').describe('of the extraction: the text layer, or OCR'),
  prompt_id: z.uuid().nullish().describe('of the analysis; without it the default prompt'),
  force: z.boolean().default(false).describe('repeat steps that are done already'),
})
export type ProcessInput = z.infer<typeof processInput>

/** The result of a job of kind 'process'. */
export const processResult = z.object({
  total: z.number().int(),
  done: z.number().int().describe('documents on which something was done'),
  unchanged: z.number().int().describe('documents on which every step had been done before'),
  warned: z
    .array(z.object({ document_id: z.uuid(), title: z.string(), warning: textWarning }))
    .default([])
    .describe('documents whose extracted text is not to be trusted, and why'),
  failed: z.array(z.object({ document_id: z.uuid(), title: z.string(), step: processStep, error: z.string() })),
})
export type ProcessResult = z.infer<typeof processResult>
