import type { MiddlewareHandler } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import { sentAtOnce } from '#server/lib/metrics.ts'
import { accessOf, maxBytesOf } from '#server/http/route-access.ts'
import type { AppBindings } from '#server/http/router.ts'

const MB = 1024 * 1024
/** Bodies smaller than this size are not counted. */
const UNCOUNTED_BYTES = 64 * 1024
const RETRY_SECONDS = 10

/** Limits what is in use at the same time in this process (bytes of bodies, or files), per account and in total. */
class Room {
  readonly #of = new Map<string, number>()
  #all = 0
  readonly #kind: 'bytes' | 'files'
  readonly #most: { person: number; all: number }

  constructor(kind: 'bytes' | 'files', most: { person: number; all: number }) {
    this.#kind = kind
    this.#most = most
  }

  /**
   * Adds `weight` to the use of an account until `leave` is called with the same weight. Throws 'too_many' above the limit of
   * the account and 'busy' above the limit of all accounts. A request of any weight is accepted if nothing else is in use.
   */
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

/** Limits the bytes of the bodies in memory. Reading a body needs about four times its size. */
const bodies = new Room('bytes', { person: 64 * MB, all: 192 * MB })
/** Limits the number of files that are streamed to disk at the same time. */
const files = new Room('files', { person: 30, all: 300 })

/**
 * Refuses bodies beyond the server's capacity: with 429 if one account sends too much at the same time, with 503 if all
 * accounts together do. Independent of the size limit of a single body (limitBody). A body of unknown length counts with the
 * maximum size of its route. A file is streamed to disk and counts as one file.
 */
export const boundBodies: MiddlewareHandler<AppBindings> = async (context, next) => {
  const person = context.get('actor')?.userId
  const rule = accessOf(context)
  if (person === undefined || !rule || !context.req.raw.body) return next()
  const length = context.req.header('content-length')
  // A request with neither length nor chunks has no body (RFC 9112, 6.3): most deletions.
  if (length === undefined && context.req.header('transfer-encoding') === undefined) return next()
  const bytes = length === undefined ? maxBytesOf(rule) : Number(length)
  const [room, weight] = rule.body === 'file' ? [files, 1] : [bodies, bytes <= UNCOUNTED_BYTES ? 0 : bytes]
  room.enter(person, weight)
  try {
    return await next()
  } finally {
    room.leave(person, weight)
  }
}
