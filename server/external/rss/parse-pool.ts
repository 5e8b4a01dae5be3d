import { Worker } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import type { FeedItem } from './parse-feed.ts'
import type { ParseTask } from './parse.worker.ts'

/** A feed of 5 MB takes less than a second; what takes longer was made to. */
const LIMIT_MS = 10_000
const IDLE_MS = 30_000

interface Reply {
  id: number
  items?: FeedItem[]
  refused?: string
}

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let nextId = 0
/** One feed at a time is parsed: what follows waits here. */
let line: Promise<unknown> = Promise.resolve()

/**
 * The articles in a feed's bytes, read in a worker thread with limits on time and memory: a hostile feed costs the
 * worker, which is replaced, and never holds up a request.
 */
export function parseBytes(task: Omit<ParseTask, 'id'>): Promise<FeedItem[]> {
  const turn = line.then(() => parseNow(task))
  line = turn.catch(() => undefined)
  return turn
}

function parseNow(task: Omit<ParseTask, 'id'>): Promise<FeedItem[]> {
  clearTimeout(idle)
  worker ??= new Worker(new URL('./parse.worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    // Nothing of the server's settings is needed to read a feed.
    env: {},
  })
  const busy = worker
  const id = (nextId += 1)
  return new Promise<FeedItem[]>((resolve, reject) => {
    const lose = () => {
      if (worker === busy) worker = undefined
      void busy.terminate()
      settle(() => reject(new AppError('outside_failed', 'The feed is too large or too intricate to read.')))
    }
    const timer = setTimeout(lose, LIMIT_MS)
    const hear = (reply: Reply) => {
      if (reply.id !== id) return
      settle(() =>
        reply.items
          ? resolve(reply.items)
          : reject(new AppError('outside_failed', reply.refused ?? 'The feed cannot be read.')),
      )
      busy.unref()
      idle = setTimeout(() => void stopParsing(), IDLE_MS).unref()
    }
    const settle = (end: () => void) => {
      clearTimeout(timer)
      busy.off('message', hear).off('error', lose).off('exit', lose)
      // A worker that ends later has nobody to tell, which must not end the server.
      busy.on('error', () => undefined)
      end()
    }
    busy.ref()
    busy.removeAllListeners('error')
    busy.on('message', hear).on('error', lose).on('exit', lose)
    busy.postMessage({ ...task, id } satisfies ParseTask)
  })
}

/** Ends the worker; the next feed gets a new one. */
export async function stopParsing(): Promise<void> {
  clearTimeout(idle)
  const ending = worker
  worker = undefined
  await ending?.terminate()
}
