import type { z } from 'zod'
import { apiError } from '#shared/contract/errors.ts'
import { ApiError, sessionIsGone } from './api.ts'
import { readEvents, type ServerEvent } from './read-events.ts'

type EventOf<Schemas extends Record<string, z.ZodType>> = {
  [Name in keyof Schemas & string]: { event: Name; data: z.output<Schemas[Name]> }
}[keyof Schemas & string]

/**
 * Posts JSON and yields the server-sent events of the response, up to the event `done` or `error`. `schemas` contains the
 * schema of the data for each event name; other events, which a newer server may send, are ignored. Throws an ApiError (with
 * the message `failure` if the server sends none) if the request fails or the stream ends early, and a ZodError if data do not
 * match the schema.
 */
export async function* streamEvents<Schemas extends Record<string, z.ZodType>>(
  path: string,
  body: unknown,
  { schemas, signal, failure }: { schemas: Schemas; signal: AbortSignal; failure: string },
): AsyncGenerator<EventOf<Schemas>> {
  for await (const { event, data } of postEvents(path, body, signal, failure)) {
    if (!Object.hasOwn(schemas, event)) continue
    yield { event, data: schemas[event]!.parse(JSON.parse(data)) } as EventOf<Schemas>
    if (event === 'done' || event === 'error') return
  }
  throw new ApiError(0, 'broken_off', failure)
}

/**
 * Posts JSON and yields the server-sent events of the response. Throws an ApiError for an error response, an unreachable server
 * and a broken connection; its message is `failure` if the server sends none. Does not check whether the stream ended early.
 */
async function* postEvents(
  path: string,
  body: unknown,
  signal: AbortSignal,
  failure: string,
): AsyncGenerator<ServerEvent> {
  // Replaces the browser's own message for a lost connection, which differs between browsers.
  const lost = (error: unknown): never => {
    if (error instanceof TypeError) throw new ApiError(0, 'broken_off', failure)
    throw error
  }
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }).catch(lost)
  if (!response.ok || !response.body) throw await refusal(response, failure)
  const events = readEvents(response.body)
  try {
    for (;;) {
      const next = await events.next().catch(lost)
      if (next.done) return
      yield next.value
    }
  } finally {
    await events.return(undefined)
  }
}

async function refusal(response: Response, failure: string): Promise<ApiError> {
  if (response.status === 401) sessionIsGone()
  const parsed = apiError.safeParse(await response.json().catch(() => null))
  if (!parsed.success) return new ApiError(response.status, 'failed', failure)
  return new ApiError(response.status, parsed.data.error.code, parsed.data.error.message || failure)
}
