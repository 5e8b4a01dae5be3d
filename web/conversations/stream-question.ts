import { z } from 'zod'
import { CHAT_FAILED } from '#shared/contract/chat.ts'
import {
  answerSentence,
  answerSource,
  type ConversationEvent,
  conversationMessage,
  type LibraryQuestion,
} from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError } from '#web/lib/api.ts'
import { postEvents } from '#web/lib/post-events.ts'
import type { ServerEvent } from '#web/lib/read-events.ts'

const eventData = {
  papers: z.object({ message_id: z.uuid(), papers: z.number().int() }),
  passages: z.object({ passages: z.number().int() }),
  checking: z.object({}),
  sentence: z.object({ sentence: answerSentence, sources: z.array(answerSource) }),
  done: conversationMessage,
  error: z.object({ message: z.string() }),
} as const

/**
 * Asks a question in a conversation and yields the events of its answer, `done` or `error` last. Throws an ApiError for a
 * refused question, an unreachable server and a broken stream. The server completes the answer after the stream ends early.
 */
export async function* streamQuestion(
  conversationId: string,
  question: LibraryQuestion,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent> {
  for await (const event of postEvents(api.conversationMessages(conversationId), question, signal, CHAT_FAILED)) {
    const parsed = parseEvent(event)
    if (parsed) yield parsed
    if (parsed?.event === 'done' || parsed?.event === 'error') return
  }
  throw new ApiError(0, 'broken_off', CHAT_FAILED)
}

/** Parses an event of an answer. Returns null for a type that this version does not know; throws for invalid data. */
export function parseEvent({ event, data }: ServerEvent): ConversationEvent | null {
  const json: unknown = event in eventData ? JSON.parse(data) : null
  switch (event) {
    case 'papers':
      return { event, data: eventData.papers.parse(json) }
    case 'passages':
      return { event, data: eventData.passages.parse(json) }
    case 'checking':
      return { event, data: {} }
    case 'sentence':
      return { event, data: eventData.sentence.parse(json) }
    case 'done':
      return { event, data: eventData.done.parse(json) }
    case 'error':
      return { event, data: eventData.error.parse(json) }
    default:
      return null
  }
}
