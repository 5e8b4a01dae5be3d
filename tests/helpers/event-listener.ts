import { api } from '#shared/contract/paths.ts'
import type { LiveEvent } from '#shared/contract/jobs.ts'
import type { Client } from './client.ts'

/** The events that an account has received from its event stream, in order. */
export interface EventListener {
  received: (LiveEvent & { at: number })[]
  /** Returns the id of the last event; before the first event, the id of the position at which the stream began. */
  lastId: () => string
  close: () => void
}

/** Opens the event stream of an account and collects all new events until `close` is called. */
export const listenToEvents = (client: Client): Promise<EventListener> => listen(client, {})

/** Opens the event stream of an account after the event `lastId`, and collects all later events until `close` is called. */
export const resumeEvents = (client: Client, lastId: string): Promise<EventListener> =>
  listen(client, { 'last-event-id': lastId })

async function listen(client: Client, headers: Record<string, string>): Promise<EventListener> {
  const stop = new AbortController()
  const { body } = await client.fetch(api.events(), { signal: stop.signal, headers })
  const received: EventListener['received'] = []
  let lastId = ''
  const begun = Promise.withResolvers<void>()
  const read = async () => {
    let rest = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        lastId = /^id: ?(.+)$/m.exec(part)?.[1] ?? lastId
        // The first id is the position at which the events begin.
        if (lastId !== '') begun.resolve()
        const event = /^event: (\w+)$/m.exec(part)?.[1]
        const data = /^data: (.+)$/m.exec(part)?.[1]
        if (event && data) received.push({ event, data: JSON.parse(data), at: Date.now() } as (typeof received)[number])
      }
    }
  }
  read().then(begun.resolve, begun.resolve)
  await begun.promise
  return { received, lastId: () => lastId, close: () => stop.abort() }
}
