import { z } from 'zod'
import { CHAT_FAILED, chatAnswer, chatSource, type ChatQuestion, type ChatStreamEvent } from '#shared/contract/chat.ts'
import { api } from '#shared/contract/paths.ts'
import { streamEvents } from '#web/lib/post-events.ts'

const schemas = {
  sources: z.object({ sources: z.array(chatSource) }),
  delta: z.object({ text: z.string() }),
  done: chatAnswer,
  error: z.object({ message: z.string() }),
} as const

/**
 * Asks a question about one document and yields the answer's events: `sources`, then `delta`s, then `done` or `error`.
 * Throws an ApiError for an error response (no session, not vectorized), an unreachable server and a broken stream.
 */
export const streamAnswer = (
  documentId: string,
  question: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> =>
  streamEvents(api.documentChat(documentId), question, { schemas, signal, failure: CHAT_FAILED })
