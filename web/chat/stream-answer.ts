import { z } from 'zod'
import { CHAT_FAILED, chatAnswer, chatSource, type ChatStreamEvent } from '#shared/contract/chat.ts'
import { apiError } from '#shared/contract/errors.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError, sessionIsGone } from '#web/lib/api.ts'
import { readEvents, type ServerEvent } from './read-events.ts'

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
  question: string,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> {
  const response = await fetch(api.documentChat(documentId), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
    signal,
  }).catch(lost)
  if (!response.ok || !response.body) throw await refusal(response)
  const events = readEvents(response.body)
  try {
    for (;;) {
      const next = await events.next().catch(lost)
      if (next.done) break
      const parsed = parseEvent(next.value)
      if (parsed) yield parsed
      if (parsed?.event === 'done' || parsed?.event === 'error') return
    }
  } finally {
    await events.return(undefined)
  }
  throw new ApiError(0, 'broken_off', CHAT_FAILED)
}

/** Replaces the browser's own message for a lost connection, which differs between browsers. */
function lost(error: unknown): never {
  if (error instanceof TypeError) throw new ApiError(0, 'broken_off', CHAT_FAILED)
  throw error
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

async function refusal(response: Response): Promise<ApiError> {
  if (response.status === 401) sessionIsGone()
  const parsed = apiError.safeParse(await response.json().catch(() => null))
  if (!parsed.success) return new ApiError(response.status, 'failed', CHAT_FAILED)
  return new ApiError(response.status, parsed.data.error.code, parsed.data.error.message || CHAT_FAILED)
}
