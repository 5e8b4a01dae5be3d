import type { MiddlewareHandler } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import { sentAtOnce } from '#server/lib/metrics.ts'
import type { AppBindings } from '#server/lib/router.ts'

const MB = 1024 * 1024
/** What no number of calls makes a burden. */
const WEIGHTLESS = 64 * 1024
const RETRY_SECONDS = 10

/** Bounds what is under way at the same time in this process: of one account, and of all together. */
class Room {
  readonly #of = new Map<string, number>()
  #all = 0
  readonly #kind: 'bytes' | 'files'
  readonly #most: { person: number; all: number }

  constructor(kind: 'bytes' | 'files', most: { person: number; all: number }) {
    this.#kind = kind
    this.#most = most
  }

  /** Takes `weight`, until `leave` is called with the same; what comes alone always finds room. */
  enter(person: string, weight: number): void {
    const own = this.#of.get(person) ?? 0
    if (own > 0 && own + weight > this.#most.person)
      throw new AppError('too_many', 'Too much is being sent at once. Please try again in a moment.', {
        retryAfter: RETRY_SECONDS,
      })
    if (this.#all > 0 && this.#all + weight > this.#most.all)
      throw new AppError('busy', 'The server is busy with other large requests. Please try again in a moment.', {
        retryAfter: RETRY_SECONDS,
      })
    this.#of.set(person, own + weight)
    this.#all += weight
    sentAtOnce.inc({ kind: this.#kind }, weight)
  }

  leave(person: string, weight: number): void {
    const own = (this.#of.get(person) ?? 0) - weight
    if (own > 0) this.#of.set(person, own)
    else this.#of.delete(person)
    this.#all -= weight
    sentAtOnce.dec({ kind: this.#kind }, weight)
  }
}

/** Bodies that are held in memory, by their bytes: reading one takes some four times as much. */
const bodies = new Room('bytes', { person: 64 * MB, all: 192 * MB })
/** Files that are written to disk as they come, by their number. */
const files = new Room('files', { person: 30, all: 300 })

/**
 * Refuses bodies beyond what the server has room for: 429 to an account that sends too many at once, 503 when all together
 * do. The limit of each single body is another matter (bodyLimit). `streamed` tells which requests hold no body in memory;
 * a body that does not say how long it is counts with the most that its address takes (`unknown`).
 */
export function boundBodies({ streamed, unknown }: { streamed: RegExp; unknown: (path: string) => number }) {
  const bound: MiddlewareHandler<AppBindings> = async (context, next) => {
    const person = context.get('actor')?.userId
    if (person === undefined || !context.req.raw.body) return next()
    const isStreamed = context.req.method === 'POST' && streamed.test(context.req.path)
    const length = context.req.header('content-length')
    // A request that says neither how long it is nor that it comes in chunks brings nothing (RFC 9112, 6.3): most deletions.
    if (length === undefined && context.req.header('transfer-encoding') === undefined) return next()
    const bytes = length === undefined ? unknown(context.req.path) : Number(length)
    const [room, weight] = isStreamed ? [files, 1] : [bodies, bytes <= WEIGHTLESS ? 0 : bytes]
    room.enter(person, weight)
    try {
      return await next()
    } finally {
      room.leave(person, weight)
    }
  }
  return bound
}
