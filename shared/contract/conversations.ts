import { z } from 'zod'
import { chatAnswer } from './chat.ts'
import { TAG_MAX } from './document-edits.ts'
import { evidence } from './evidence.ts'
import { WORDS_ONLY } from './library-search.ts'
import { MATCH_KINDS, matchOfPassage } from './match-of-passage.ts'
import { MARK_KINDS } from './sentence-marks.ts'
import { rowVersion, seenVersion } from './versions.ts'
import { grouped } from '#shared/text/numbers.ts'

export const LONGEST_QUESTION = 2000
/** Maximum number of earlier questions with their answers that an answer takes into account. */
export const REMEMBERED_TURNS = 6
/** Maximum number of papers in a scope of the kind 'papers'. */
export const MOST_SCOPE_PAPERS = 500
/** Maximum number of tags in a scope of the kind 'tags'. */
export const MOST_SCOPE_TAGS = 50
export const LONGEST_TITLE = 200
export const LONGEST_NOTE = 1000
/**
 * Maximum number of conversations of a user in a project (including chats with its papers), and maximum number of questions in
 * a conversation.
 */
export const MOST_CONVERSATIONS = 1000
export const MOST_QUESTIONS = 200

export const NOTHING_TO_ANSWER_FROM = 'This project has no text to answer from yet. Extract and vectorize papers first.'
export const NO_TEXT_IN_SCOPE = 'These papers have no text to answer from. Extract and vectorize them first.'
export const NO_PAPER_IN_SCOPE = 'No paper is in this scope.'
/**
 * Returns the error message for a question whose answer leaves out retracted papers, if all `count` papers of the chosen scope
 * are retracted.
 */
export const allRetracted = (count: number): string =>
  count === 1
    ? 'The paper in this scope is retracted and left out.'
    : `All ${grouped(count)} papers in this scope are retracted and left out.`
export const STILL_ANSWERING = 'An answer is still being written.'
/** Returns the error of an answer that took longer than the limit, AI_ANSWER_SECONDS. */
export const answerTooSlow = (seconds: number) =>
  `The model took longer than ${seconds === 120 ? 'two minutes' : `${seconds} seconds`}. What was verified until then is kept.`
/** The error of an answer that was not complete when the server stopped. */
export const ANSWER_INTERRUPTED = 'The server was restarted before the answer was complete.'
export const TOO_MANY_CONVERSATIONS = `You have ${grouped(MOST_CONVERSATIONS)} conversations in this project, the largest number. Delete some of them first.`
export const TOO_MANY_QUESTIONS = `This conversation has ${MOST_QUESTIONS} questions, the largest number. Start a new one.`
/** The error for a member who tries to change or continue the conversation of another member. */
export const ONLY_AUTHOR = 'Only the author of a conversation can change or continue it.'

/** Returns the title of a conversation: the first line of its first question, shortened to LONGEST_TITLE after a whole word. */
export function titleOf(question: string): string {
  const line = question.trim().split(/\s*[\r\n]+\s*/)[0]!
  if (line.length <= LONGEST_TITLE) return line
  const cut = line.slice(0, LONGEST_TITLE - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.replace(/\s+\S*$/, '')}…`
}

/** The papers that a question is answered from. */
export const answerScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('papers'), document_ids: z.array(z.uuid()).min(1).max(MOST_SCOPE_PAPERS) }),
  z.object({
    kind: z.literal('tags'),
    tags: z.array(z.string().max(TAG_MAX)).min(1).max(MOST_SCOPE_TAGS).describe('any of them'),
  }),
])
export type AnswerScope = z.infer<typeof answerScope>

/**
 * A stored piece of evidence: a quote from a paper that supports a sentence of an answer. `lost` is true if the quote is no
 * longer in the newest text of the paper.
 */
export const storedEvidence = evidence.extend({
  id: z.uuid(),
  lost: z.boolean(),
})
export type StoredEvidence = z.infer<typeof storedEvidence>

/** A doubt about a sentence of an answer, found by comparing the sentence with its quotes. */
export const sentenceMark = z.object({
  kind: z.enum(MARK_KINDS),
  words: z.array(z.string()).describe('the numbers or words that are in doubt'),
})
export type SentenceMark = z.infer<typeof sentenceMark>

/** A sentence that is shown as an answer: at least one of its quotes was found in the text of a paper. */
export const answerSentence = z.object({
  text: z.string(),
  evidence: z.array(storedEvidence).min(1),
  marks: z.array(sentenceMark),
  group: z.number().int().nullable().describe('index in `groups`; null: no disagreement'),
})
export type AnswerSentence = z.infer<typeof answerSentence>

/** A sentence of the model for which no quote was found in a paper. It is never copied or exported as an answer. */
export const unsupportedSentence = z.object({
  text: z.string(),
  reason: z.enum(['no quote', 'quote not found', 'quote does not support it', 'paper deleted']),
})

/** A paper that an answer cites. `number` is the same in all answers of a conversation. */
export const answerSource = z.object({
  number: z.number().int(),
  document_id: z.uuid(),
  title: z.string().nullable(),
  authors: z.string().describe("authors' short form, for example Kessing-Hall et al."),
  year: z.number().int().nullable(),
  evidence_level: z.string().nullable(),
  retracted: z.boolean(),
  citation: z
    .object({ html: z.string(), text: z.string(), style: z.string().nullable() })
    .describe("in the project's style at the time of the answer; `style` is its title, null if unknown"),
})
export type AnswerSource = z.infer<typeof answerSource>

export const libraryAnswer = z.object({
  kind: z
    .enum(['answer', 'passages', 'refusal', 'unverified'])
    .describe(
      "'passages': the built-in model quotes the best passages; 'refusal': no paper answers; 'unverified': no sentence of the model could be verified",
    ),
  sentences: z.array(answerSentence),
  groups: z.array(z.string()).describe("labels of a disagreement, as in '4 papers report a gain'"),
  unsupported: z.array(unsupportedSentence),
  nearest: z
    .array(storedEvidence.extend(matchOfPassage.shape))
    .describe('of a refusal, and if no sentence could be verified: at most three'),
  missing: z.array(z.string()).describe('of a refusal of the built-in model: asked words that no paper contains'),
  apart: z
    .array(z.string())
    .describe('of a refusal of the built-in model: asked words that no passage has together with the others'),
  papers: z.number().int().describe('papers in the scope'),
  retracted_left_out: z.number().int(),
  passages: z.number().int().describe('passages that the model read'),
  words_only: z.enum(WORDS_ONLY).nullable(),
  model: z.string(),
  cached: z.boolean().describe('a stored answer to the same question over the same texts'),
})
export type LibraryAnswer = z.infer<typeof libraryAnswer>

export const questionStatus = z.enum(['answering', 'done', 'stopped', 'failed'])

/** A question with its answer. */
export const conversationMessage = z.object({
  id: z.uuid(),
  question: z.string(),
  scope: answerScope,
  leave_out_retracted: z.boolean(),
  asked_at: z.string(),
  status: questionStatus,
  error: z.string().nullable(),
  answer: libraryAnswer.nullable().describe('null until the first sentence is verified, and in a chat with one paper'),
  chat: chatAnswer
    .omit({ conversation_id: true })
    .nullable()
    .describe('the answer in a chat with one paper, with its passages in the present text; null over a project'),
  sources: z.array(answerSource),
  run_id: z.uuid().nullable(),
  run_number: z.number().int().nullable().describe('counts the runs of the project; null without a visible run'),
  feedback: z.object({ helpful: z.boolean(), note: z.string() }).nullable().describe('of the caller'),
})
export type ConversationMessage = z.infer<typeof conversationMessage>

export const conversation = z.object({
  id: z.uuid(),
  project_id: z.uuid().nullable(),
  document_id: z.uuid().nullable().describe('set for a chat with one paper'),
  title: z.string().describe('the first question, until it is renamed'),
  visibility: z.enum(['me', 'project']),
  created_by: z.object({ id: z.string(), name: z.string() }).nullable(),
  is_mine: z.boolean().describe('only the author continues, renames and shares a conversation'),
  may_remove: z
    .boolean()
    .describe('a shared conversation of another member that the caller, an owner of the project, may hide or delete'),
  created_at: z.string(),
  updated_at: z.string(),
  questions: z.number().int(),
  version: rowVersion,
})
export type Conversation = z.infer<typeof conversation>

export const conversationWithMessages = conversation.extend({ messages: z.array(conversationMessage) })
export type ConversationWithMessages = z.infer<typeof conversationWithMessages>

export const newConversation = z.object({
  title: z.string().trim().max(LONGEST_TITLE).default(''),
  visibility: conversation.shape.visibility.default('me'),
})
export type NewConversation = z.infer<typeof newConversation>
export const conversationEdit = z
  .object({
    title: z.string().trim().min(1).max(LONGEST_TITLE),
    visibility: conversation.shape.visibility,
    version: seenVersion,
  })
  .partial()
export type ConversationEdit = z.infer<typeof conversationEdit>

/** Body of POST /api/conversations/{id}/messages. */
export const libraryQuestion = z.object({
  question: z.string('Query cannot be empty').trim().min(1, 'Query cannot be empty').max(LONGEST_QUESTION),
  scope: answerScope.default({ kind: 'all' }),
  leave_out_retracted: z.boolean().default(true),
  again: z.boolean().default(false).describe('ask the model of a provider again although the same answer is stored'),
  without_stored: z
    .boolean()
    .default(false)
    .describe('use no stored answer, also of the built-in model, which returns the same answer'),
  repeats: z
    .uuid()
    .optional()
    .describe('a question of this conversation that is asked again: the model gets the turns before that question'),
})
export type LibraryQuestion = z.input<typeof libraryQuestion>
export type LibraryQuestionInput = z.output<typeof libraryQuestion>

export const answerFeedback = z.object({ helpful: z.boolean(), note: z.string().trim().max(LONGEST_NOTE).default('') })
export type AnswerFeedback = z.infer<typeof answerFeedback>

/** A passage that the model read for an answer. The part 'What was read' of an answer lists these passages, best first. */
export const readPassage = z.object({
  rank: z.number().int(),
  document_id: z.uuid(),
  title: z.string().nullable(),
  page: z.number().int().nullable(),
  content: z.string(),
  matched: z.enum(MATCH_KINDS),
  used: z.boolean().describe('a quote of the answer is in this passage'),
})
export type ReadPassage = z.infer<typeof readPassage>

/**
 * Events of the answer stream (Accept: text/event-stream): `papers` with the number of papers in the scope, `passages` with the
 * number of passages that the model reads and the kind of the answer ('passages' for the built-in model), `checking` when the
 * search for the quotes begins, `sentence` for each verified sentence, then `done` with the whole message or `error`. Sentences
 * that were sent before an error are stored.
 */
export type ConversationEvent =
  | { event: 'papers'; data: { message_id: string; papers: number } }
  | { event: 'passages'; data: { passages: number; kind: LibraryAnswer['kind'] } }
  | { event: 'checking'; data: Record<string, never> }
  | { event: 'sentence'; data: { sentence: AnswerSentence; sources: AnswerSource[] } }
  | { event: 'done'; data: ConversationMessage }
  | { event: 'error'; data: { message: string } }

/** Formats of GET /api/conversations/{id}/export. */
export const conversationFormat = z.enum(['md', 'docx', 'json'])
export type ConversationFormat = z.infer<typeof conversationFormat>
