import { z } from 'zod'
import { foundPassage } from './passages.ts'

/** The reply when retrieval finds nothing. */
export const NO_PASSAGES_ANSWER =
  "I couldn't find any relevant passages in the document to answer your question. Could you try rephrasing it?"
/** What the built-in answer says of itself; these sentences rest on no passage. */
export const LOOSE_ANSWER = 'These passages match the question only loosely:'
export const NO_SENTENCE_ANSWER =
  'No whole sentence of the paper was found that answers the question; the passages nearest to it are listed as sources.'
export const CHAT_FAILED = 'Failed to get response. Please try again.'
export const SIMILAR_CHUNKS = 3

export const chatQuestion = z.object({
  question: z.string('Query cannot be empty').trim().min(1, 'Query cannot be empty').max(4000),
})

export const chatSource = z.object({
  content: z.string(),
  page_number: z.number().int(),
  page_offset: z.number().int(),
  similarity: z.number(),
  start: z.number().int().describe('offset in the page of the sentence that matched best'),
  end: z.number().int(),
})
export type ChatSource = z.infer<typeof chatSource>

/** One sentence of an answer and the passages it rests on; a passage with match 'none' reads 'not found in the text'. */
export const answerStatement = z.object({ text: z.string(), passages: z.array(foundPassage) })
export type AnswerStatement = z.infer<typeof answerStatement>

export const chatAnswer = z.object({
  answer: z.string(),
  sources: z.array(chatSource),
  statements: z.array(answerStatement),
  model: z.string(),
})
export type ChatAnswer = z.infer<typeof chatAnswer>

/**
 * The token stream (Accept: text/event-stream): `sources` once, `delta` per piece of text, then `done` with the whole
 * answer, or `error` with words for a person.
 */
export type ChatStreamEvent =
  | { event: 'sources'; data: { sources: ChatSource[] } }
  | { event: 'delta'; data: { text: string } }
  | { event: 'done'; data: ChatAnswer }
  | { event: 'error'; data: { message: string } }

/** Similarity as people read it: a percentage with one decimal. */
export const similarityText = (similarity: number) => `${(Math.max(0, similarity) * 100).toFixed(1)}%`

/** Questions that make sense for nearly every paper, offered before the first one. */
export const EXAMPLE_QUESTIONS = [
  'What did the authors find?',
  'How was the study carried out?',
  'Which limitations do the authors name?',
] as const
