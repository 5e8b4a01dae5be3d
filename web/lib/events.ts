import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { job } from '#shared/jobs.ts'
import { api } from '#shared/paths.ts'
import { catchUp, receiveJob } from './jobs.ts'

const change = z.object({
  id: z.string(),
  project_id: z.string().nullish(),
  change: z.enum(['created', 'updated', 'deleted']),
})
const FLUSH_MS = 150
const RECONNECT_MS = 3000

/**
 * Listens to the server's live events and refreshes what they touch; several events in a row cause one refresh.
 * The browser resumes a broken stream by itself; a refused one is opened anew, and everything is then read again.
 */
export function followEvents(client: QueryClient): () => void {
  const touched = new Set<string>()
  let flushing: ReturnType<typeof setTimeout> | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined
  let source: EventSource

  const touch = (...keys: string[][]) => {
    for (const key of keys) touched.add(JSON.stringify(key))
    flushing ??= setTimeout(() => {
      flushing = undefined
      for (const key of touched) void client.invalidateQueries({ queryKey: JSON.parse(key) as string[] })
      touched.clear()
    }, FLUSH_MS)
  }

  const open = (again: boolean) => {
    source = new EventSource(api.events())
    source.addEventListener('open', () => {
      if (again) void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'session' })
      if (again) void catchUp(client)
    })
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return
      reopening = setTimeout(() => open(true), RECONNECT_MS)
    })
    source.addEventListener('job', (event: MessageEvent<string>) =>
      receiveJob(client, job.parse(JSON.parse(event.data))),
    )
    source.addEventListener('document', (event: MessageEvent<string>) => {
      const { id, change: what } = change.parse(JSON.parse(event.data))
      touch(
        ['documents'],
        ['document-filters'],
        ...(what === 'deleted' ? [] : [['document', id]]),
        ...(what === 'updated' ? [] : [['projects']]),
      )
    })
    source.addEventListener('project', () => touch(['projects']))
  }

  open(false)
  return () => {
    source.close()
    clearTimeout(flushing)
    clearTimeout(reopening)
  }
}
