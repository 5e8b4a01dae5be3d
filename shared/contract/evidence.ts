import { z } from 'zod'
import { passageMatch } from './passages.ts'

/** Maximum number of characters that are stored of the text before a passage, and of the text after it. */
export const CONTEXT_CHARACTERS = 32

/**
 * Evidence: a passage of a document that supports a statement, in one version of the text of the document. The server searches
 * the text for the quote; it never uses a page or offsets of a client or a model. With `match` 'none', the quote was not found:
 * page and offsets are null and the evidence supports nothing.
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

/** Lost evidence: a stored quote that supports an answer but is not in the newest text of its paper. */
export const lostEvidence = z.object({
  id: z.uuid(),
  document_id: z.uuid(),
  title: z.string().nullable(),
  filename: z.string(),
  has_file: z.boolean(),
  quote: z.string(),
  page: z.number().int().nullable().describe('its last page'),
  is_mine: z.boolean().describe('the caller asked the question, and may choose another place'),
})
export type LostEvidence = z.infer<typeof lostEvidence>

/**
 * Default number of entries on a page of the list of lost evidence (quotes that are not in the newest text of their papers).
 */
export const LOST_PAGE_SIZE = 20

/**
 * A passage of the newest text of a paper that resembles lost evidence, a quote that is no longer in this text. It is offered
 * to the user as the new place of the quote.
 */
export const similarPlace = evidence.omit({ document_id: true, text_version: true })
export type SimilarPlace = z.infer<typeof similarPlace>

/**
 * Minimum number of characters of the text that a user chooses as the new place of a lost quote. A shorter text would not
 * identify a place in a paper.
 */
export const LEAST_CHOSEN = 10

/**
 * A text from the newest text of a paper that a user chooses as the new place of a lost quote. The server searches the paper
 * for this text.
 */
export const chosenPlace = z.object({
  quote: z.string().trim().min(LEAST_CHOSEN, `Enter at least ${LEAST_CHOSEN} characters of the paper.`).max(6000),
  prefix: z.string().max(CONTEXT_CHARACTERS).default(''),
  suffix: z.string().max(CONTEXT_CHARACTERS).default(''),
  page: z.number().int().nullable().default(null),
})
export type ChosenPlace = z.input<typeof chosenPlace>

export const WORDS_NOT_IN_TEXT = 'These words are not in the text of this paper.'
