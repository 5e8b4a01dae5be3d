import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { job } from '#shared/contract/jobs.ts'
import { catchUp, receiveJob } from './jobs.ts'
import { joinStream } from './shared-stream.ts'

const change = z.object({
  id: z.string(),
  project_id: z.string().nullish(),
  change: z.enum(['created', 'updated', 'deleted']),
  part: z.enum(['feed', 'recommendations', 'duplicates', 'conversations']).optional(),
  by: z.string().optional(),
})
const FLUSH_MS = 150
/**
 * First elements of the keys of queries that are not invalidated after a gap in the event stream. For example, a query under
 * 'drive' exchanges an authorization code, which Google accepts only once, so a second fetch would fail.
 */
const NOT_LIVE: ReadonlySet<unknown> = new Set(['session', 'drive'])

/**
 * Subscribes to the server's live events and invalidates the queries whose data changed. After a gap in the event stream, it
 * invalidates all queries except `NOT_LIVE`. `open` opens a page of the app. `since` is the time (`performance.now`, in ms)
 * from which events are read. Returns a function that unsubscribes.
 */
export function followEvents(
  client: QueryClient,
  userId: string,
  open: (address: string) => void,
  since: number,
): () => void {
  const touched = new Set<string>()
  let flushing: ReturnType<typeof setTimeout> | undefined

  const touch = (...keys: string[][]) => {
    for (const key of keys) touched.add(JSON.stringify(key))
    flushing ??= setTimeout(() => {
      flushing = undefined
      for (const key of touched) void client.invalidateQueries({ queryKey: JSON.parse(key) as string[] })
      touched.clear()
    }, FLUSH_MS)
  }

  const take: Record<string, (data: unknown) => void> = {
    job: (data) => {
      const received = job.parse(data)
      const isOver = receiveJob(client, received)
      if (isOver && received.kind === 'process')
        void import('./run-summary.ts').then(({ notifyOfRun }) => notifyOfRun(received))
      // Processed papers are vectorized: the search finds them by meaning and no longer counts them as not vectorized.
      if (isOver && received.kind === 'process') touch(['search'])
      if (received.kind === 'import') touch(['imports'])
      if (isOver && received.kind === 'import')
        void import('./import-summary.ts').then(({ notifyOfImport }) => notifyOfImport(received, open))
    },
    document: (data) => {
      const { id, change: what } = change.parse(data)
      touch(
        ['documents'],
        ['document-filters'],
        ...(what === 'created' ? [] : [['lost-evidence']]),
        ...(what === 'updated' ? [['runs']] : [['imports']]),
        ['trash'],
        ['conversation'],
        ['document', id],
        ...(what === 'updated' ? [] : [['projects']]),
      )
      // An open search does not change with each paper of a bulk job. It is refetched on the next visit.
      void client.invalidateQueries({ queryKey: ['search'], refetchType: 'none' })
    },
    project: (data) => {
      const { id, part, by } = change.parse(data)
      // The row of the project itself has not changed.
      if (part === 'duplicates') return touch(['duplicates', id])
      if (part === 'conversations') return touch(['conversations'], ['conversation'], ['runs'])
      touch(['projects'], ['members'], ['invitations'], ['tags'], ['trash'])
      if (part === 'feed') touch(['feed', 'subscriptions', id], ['feed', 'articles', id])
      // The page of the user who dismissed or added a recommendation shows its card until the user leaves the page.
      if (part === 'recommendations' && by !== userId) touch(['recommendations', id])
    },
    notice: () => touch(['notices']),
  }

  const leave = joinStream(userId, {
    since,
    kinds: Object.keys(take),
    onEvent: (kind, data) => take[kind]?.(JSON.parse(data)),
    onGap: () => {
      void client.invalidateQueries({ predicate: (query) => !NOT_LIVE.has(query.queryKey[0]) })
      void catchUp(client)
    },
  })
  return () => {
    leave()
    clearTimeout(flushing)
  }
}
