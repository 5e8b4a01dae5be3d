import { api } from '#shared/contract/paths.ts'
import type { LiveEvent } from '#shared/contract/jobs.ts'
import type { Client } from './client.ts'

/** The received events of an account, in order. */
export interface EventListener {
  received: (LiveEvent & { at: number })[]
  close: () => void
}

/** Opens the event stream of an account and collects all events from then on until `close`. */
export async function listenToEvents(client: Client): Promise<EventListener> {
  const stop = new AbortController()
  const { body } = await client.fetch(api.events(), { signal: stop.signal })
  const received: EventListener['received'] = []
  const begun = Promise.withResolvers<void>()
  const read = async () => {
    let rest = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      // The first part is the position at which the events begin.
      begun.resolve()
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        const event = /^event: (\w+)$/m.exec(part)?.[1]
        const data = /^data: (.+)$/m.exec(part)?.[1]
        if (event && data) received.push({ event, data: JSON.parse(data), at: Date.now() } as (typeof received)[number])
      }
    }
  }
  read().then(begun.resolve, begun.resolve)
  await begun.promise
  return { received, close: () => stop.abort() }
}
