import { subscribe, type StreamedEvent } from '#server/lib/events.ts'
import { streamBody } from '#server/lib/stream-body.ts'

/** One event in the format of server-sent events; one without a name only moves the client's Last-Event-ID on. */
export function writeEvent(event: StreamedEvent): string {
  if (event.event === null) return `: \nid: ${event.id}\n\n`
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
}

/** The live events of an account as the body of a response. */
export const eventStream = (
  ownerId: string,
  lastEventId: string | undefined,
  request: AbortSignal,
): ReadableStream<Uint8Array> => streamBody((signal) => written(ownerId, lastEventId, signal), request)

async function* written(ownerId: string, lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
  for await (const event of subscribe(ownerId, lastEventId, signal)) yield writeEvent(event)
}
