import { z } from 'zod'

/** Kinds of a match: by words, by meaning, or by both. */
export const MATCH_KINDS = ['words', 'meaning', 'both'] as const

/** How a passage matched a question. */
export const matchOfPassage = z.object({
  matched: z.enum(MATCH_KINDS).nullable().describe('null in answers of earlier versions'),
  section: z.string().nullable().describe('the heading of the section'),
  words: z.array(z.string()).describe('words of the quote that the question contains too'),
})
export type MatchOfPassage = z.infer<typeof matchOfPassage>
