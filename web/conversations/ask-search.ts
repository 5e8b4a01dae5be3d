import { z } from 'zod'

/**
 * Search parameters of the screen for questions to a project: the open conversation, and the evidence (quote) that the reader
 * shows.
 */
export const askSearch = z.object({
  conversation: z.uuid().optional().catch(undefined),
  evidence: z.uuid().optional().catch(undefined),
})
export type AskSearch = z.infer<typeof askSearch>
