import { z } from 'zod'
import { CHAT_FAILED, chatAnswer, chatSource, type ChatQuestion, type ChatStreamEvent } from '#shared/contract/chat.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError } from '#web/lib/api.ts'
import { postEvents } from '#web/lib/post-events.ts'
import type { ServerEvent } from '#web/lib/read-events.ts'

const eventData = {
  sources: z.object({ sources: z.array(chatSource) }),
  delta: z.object({ text: z.string() }),
  done: chatAnswer,
  error: z.object({ message: z.string() }),
} as const

/**
 * Asks a question about one document and yields the answer's events: `sources`, then `delta`s, then `done` or `error`.
 * Throws an ApiError for an error response (no session, not vectorized), an unreachable server and a broken stream.
 */
export async function* streamAnswer(
  documentId: string,
  question: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> {
  for await (const event of postEvents(api.documentChat(documentId), question, signal, CHAT_FAILED)) {
    const parsed = parseEvent(event)
    if (parsed) yield parsed
    if (parsed?.event === 'done' || parsed?.event === 'error') return
  }
  throw new ApiError(0, 'broken_off', CHAT_FAILED)
}

/**
 * Parses an event of a streamed answer. Returns null for a type that this version does not know; throws for invalid
 * data.
 */
export function parseEvent({ event, data }: ServerEvent): ChatStreamEvent | null {
  const json: unknown = event in eventData ? JSON.parse(data) : null
  switch (event) {
    case 'sources':
      return { event, data: eventData.sources.parse(json) }
    case 'delta':
      return { event, data: eventData.delta.parse(json) }
    case 'done':
      return { event, data: eventData.done.parse(json) }
    case 'error':
      return { event, data: eventData.error.parse(json) }
    default:
      return null
  }
}
