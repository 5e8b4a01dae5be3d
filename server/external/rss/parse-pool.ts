import { Worker } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import { TaskQueue } from '#server/workers/task-queue.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import type { FeedItem } from './parse-feed.ts'
import type { NamedFeed } from './parse-opml.ts'
import type { ParseReply, ParseTask } from './parse.worker.ts'

/** A feed of 5 MB takes less than a second, so a longer parse means hostile input. */
const LIMIT_MS = 10_000
const IDLE_MS = 30_000
/** Maximum queued tasks per user. An import reads six feeds at a time. */
const MOST_WAITING = 20

/** A worker thread with its queue. */
class Parser {
  readonly #line = new TaskQueue(MOST_WAITING)
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #nextId = 0

  /** Runs one task at a time, round-robin between users. */
  parse(person: string, task: ParseTask): Promise<ParseReply> {
    return this.#line.run(person, () => this.#parseNow(task))
  }

  #parseNow(task: ParseTask): Promise<ParseReply> {
    clearTimeout(this.#idle)
    this.#worker ??= new Worker(new URL('./parse.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
      // The worker needs no settings, so it gets no secrets.
      env: {},
    })
    const busy = this.#worker
    const id = (this.#nextId += 1)
    return new Promise<ParseReply>((resolve, reject) => {
      const lose = () => {
        if (this.#worker === busy) this.#worker = undefined
        void busy.terminate()
        settle(() => reject(new AppError('outside_failed', 'The feed is too large or too complex to read.')))
      }
      const timer = setTimeout(lose, LIMIT_MS)
      const hear = (reply: ParseReply) => {
        if (reply.id !== id) return
        settle(() => resolve(reply))
        busy.unref()
        this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref()
      }
      const settle = (end: () => void) => {
        clearTimeout(timer)
        busy.off('message', hear).off('error', lose).off('exit', lose)
        // Without a listener, an error after the task would end the server.
        busy.on('error', () => undefined)
        end()
      }
      busy.ref()
      busy.removeAllListeners('error')
      busy.on('message', hear).on('error', lose).on('exit', lose)
      busy.postMessage({ id, task })
    })
  }

  /** Terminates the worker. The next task starts a new one. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    const ending = this.#worker
    this.#worker = undefined
    await ending?.terminate()
  }
}

/** Two workers, so that background refreshes and user requests do not delay each other. */
const forPeople = new Parser()
const inBackground = new Parser()

function parse(task: ParseTask): Promise<ParseReply> {
  const person = currentRequest()?.user
  return person === undefined ? inBackground.parse('', task) : forPeople.parse(person, task)
}

/**
 * Parses a feed in a worker thread with limits on time and memory. A hostile feed terminates the worker, which is
 * replaced, and blocks no request. Throws 'outside_failed'.
 */
export async function parseBytes(feed: Omit<ParseTask & { kind: 'feed' }, 'kind'>): Promise<FeedItem[]> {
  const { items, refused } = await parse({ kind: 'feed', ...feed })
  if (!items) throw new AppError('outside_failed', refused ?? 'The feed cannot be read.')
  return items
}

/** Parses an OPML file in the same workers. Throws 'refused' when it cannot be read. */
export async function parseOpmlFile(text: string): Promise<NamedFeed[]> {
  const unreadable = (cause?: unknown) => new AppError('refused', 'This file is not a valid OPML file.', { cause })
  const { feeds } = await parse({ kind: 'opml', text }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'too_many' ? error : unreadable(error)
  })
  if (!feeds) throw unreadable()
  return feeds
}

/** Terminates both workers. The next task starts new ones. */
export const stopParsing = async (): Promise<void> => {
  await Promise.all([forPeople.stop(), inBackground.stop()])
}
