import { z } from 'zod'
import { passageMatch } from './passages.ts'

/** Characters of the text before and after a passage (TextQuoteSelector of the W3C). */
export const CONTEXT_CHARACTERS = 32

/**
 * A passage of a document in one version of its text. The server searches the text for the quote; it never uses a page or
 * offsets of a client or a model. With `match` 'none', page and offsets are null and the evidence supports nothing.
 */
export const evidence = z.object({
  document_id: z.uuid(),
  text_version: z.number().int().describe('counts the changes of the text of the document'),
  page: z.number().int().nullable(),
  start: z
    .number()
    .int()
    .nullable()
    .describe('UTF-16 offset in the text of the page (TextPositionSelector of the W3C)'),
  end: z.number().int().nullable(),
  quote: z.string().describe('the exact text at that place; the searched quote if it was not found'),
  prefix: z.string().describe(`up to ${CONTEXT_CHARACTERS} characters before it`),
  suffix: z.string().describe(`up to ${CONTEXT_CHARACTERS} characters after it`),
  match: passageMatch,
  score: z.number().min(0).max(1),
})
export type Evidence = z.infer<typeof evidence>
