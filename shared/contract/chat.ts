import { z } from 'zod'
import { foundPassage } from './passages.ts'

/** The reply in the chat about a paper if no passage was found for the question. */
export const NO_PASSAGES_ANSWER =
  "I couldn't find any relevant passages in the document to answer your question. Could you try rephrasing it?"
/** Sentences that the built-in model adds to its answers. Unlike the other sentences of an answer, they cite no passage. */
export const WEAK_MATCH_ANSWER = 'These passages match the question only loosely:'
export const NO_SENTENCE_ANSWER =
  'No whole sentence of the paper was found that answers the question; the passages nearest to it are listed as sources.'
/** The beginning of the replies of `notMentionedAnswer` and `notTogetherAnswer`: the paper does not answer the question. */
export const NO_ANSWER_FOUND = 'I could not find an answer to this in the paper'
/** Returns the reply when passages were found, but `words` (names, numbers or units of the question) are not in the paper. */
export const notMentionedAnswer = (words: readonly string[]) =>
  `${NO_ANSWER_FOUND}: it never mentions ${words.join(' or ')}.`
/** Returns the reply when no sentence contains `words` together with the other words of the question. */
export const notTogetherAnswer = (words: readonly string[]) =>
  `${NO_ANSWER_FOUND}: no sentence has ${words.map((word) => `“${word}”`).join(', ')} together with the rest of the question.`
export const CHAT_FAILED = 'Failed to get response. Please try again.'
export const SIMILAR_CHUNKS = 3

export const chatQuestion = z.object({
  question: z.string('Query cannot be empty').trim().min(1, 'Query cannot be empty').max(4000),
  conversation_id: z
    .uuid()
    .optional()
    .describe('continues a conversation about this paper; otherwise a new one begins'),
})
export type ChatQuestion = z.infer<typeof chatQuestion>

export const chatSource = z.object({
  content: z.string(),
  page_number: z.number().int(),
  page_offset: z.number().int(),
  similarity: z.number(),
  start: z.number().int().describe("offset of the best matching sentence in the page's text"),
  end: z.number().int(),
})
export type ChatSource = z.infer<typeof chatSource>

/** One sentence of an answer with its passages. A passage with match 'none' is shown as 'not found in the text'. */
export const answerStatement = z.object({
  text: z.string(),
  passages: z.array(foundPassage),
  unsupported_numbers: z
    .array(z.string())
    .describe(
      'numbers of the sentence that neither the sentences at its passages nor the sentences beside them contain',
    ),
})
export type AnswerStatement = z.infer<typeof answerStatement>

export const chatAnswer = z.object({
  answer: z.string(),
  sources: z.array(chatSource),
  statements: z.array(answerStatement),
  model: z.string(),
  words_only: z
    .boolean()
    .describe('the paper was searched by words only, because its vectors come from another model than the current one'),
  conversation_id: z.uuid().describe('the stored conversation'),
})
export type ChatAnswer = z.infer<typeof chatAnswer>

/**
 * Events of the answer stream (Accept: text/event-stream): `sources` once, `delta` for each piece of text, then `done` with
 * the whole answer, or `error` with a message for the user.
 */
export type ChatStreamEvent =
  | { event: 'sources'; data: { sources: ChatSource[] } }
  | { event: 'delta'; data: { text: string } }
  | { event: 'done'; data: ChatAnswer }
  | { event: 'error'; data: { message: string } }

/** Formats a similarity (0 to 1) as a percentage with one decimal. */
export const similarityText = (similarity: number) => `${(Math.max(0, similarity) * 100).toFixed(1)}%`

/** Questions that suit nearly every paper, offered in an empty chat. */
export const EXAMPLE_QUESTIONS = [
  'What did the authors find?',
  'How was the study carried out?',
  'Which limitations do the authors name?',
] as const
