import { z } from 'zod'
import { CHAT_FAILED } from '#shared/contract/chat.ts'
import {
  answerSentence,
  answerSource,
  type ConversationEvent,
  conversationMessage,
  libraryAnswer,
  type LibraryQuestion,
} from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { streamEvents } from '#web/lib/post-events.ts'

const schemas = {
  papers: z.object({ message_id: z.uuid(), papers: z.number().int() }),
  passages: z.object({ passages: z.number().int(), kind: libraryAnswer.shape.kind }),
  checking: z.object({}),
  sentence: z.object({ sentence: answerSentence, sources: z.array(answerSource) }),
  done: conversationMessage,
  error: z.object({ message: z.string() }),
} as const

/**
 * Asks a question in a conversation and yields the events of its answer, `done` or `error` last. If the connection ends early,
 * the server still completes the answer. Throws an ApiError for a refused question, an unreachable server and a broken stream.
 */
export const streamQuestion = (
  conversationId: string,
  question: LibraryQuestion,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent> =>
  streamEvents(api.conversationMessages(conversationId), question, { schemas, signal, failure: CHAT_FAILED })
