import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { ACCOUNT_DISABLED } from '#shared/contract/people.ts'
import { isDisabledAccount } from './event-queries.ts'
import { CHANNELS, onNotice } from './listen.ts'
import { withOwnerRole } from './owner-role.ts'

/** Milliseconds after which a failed check is repeated. */
const RETRY_MS = 3000
/** Codes of the errors that mean that access is refused. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'no_session',
  'invalid_key',
  'forbidden',
  'role',
  'scope',
  'not_found',
  'gone',
])

/**
 * Runs `check`, a check of the caller's access, again after each change notice that the server sends to the caller, because the
 * access can end during a long answer. Also checks that the account is not disabled. Calls `lost` with the error of each check
 * that refuses access. A check that fails for another reason, such as a restart of the database, is repeated after a few
 * seconds. Returns a function that ends the checks.
 */
export function watchAccess(
  actor: Actor,
  check: (tx: Tx) => Promise<unknown>,
  lost: (error: unknown) => void,
): () => void {
  const checkAll = async (tx: Tx) => {
    await check(tx)
    if (await withOwnerRole(tx, () => isDisabledAccount(tx, actor.userId)))
      throw new AppError('no_session', ACCOUNT_DISABLED)
  }
  let isChecking = false
  let isStale = false
  let isOver = false
  const checkAgain = async () => {
    isStale = true
    if (isChecking) return
    isChecking = true
    while (isStale && !isOver) {
      isStale = false
      const error = await asActor(actor, checkAll).then(
        () => null,
        (failure: unknown) => failure,
      )
      if (error === null) continue
      if (error instanceof AppError && REFUSALS.has(error.code)) lost(error)
      else {
        isStale = true
        await pause(RETRY_MS, undefined, { ref: false })
      }
    }
    isChecking = false
  }
  const stopListening = onNotice((channel, text) => {
    if (channel === 'reconnected' || (channel === CHANNELS.event && text === actor.userId)) void checkAgain()
  })
  return () => {
    isOver = true
    stopListening()
  }
}

/**
 * Returns a stream with the bytes of `source`, which ends with an error when the caller loses access. `check` is repeated while
 * the stream is read, and the error of the first check that refuses access ends it. A slow client can read a file for minutes,
 * and the caller's access can end in this time.
 */
export function streamWithAccess(
  actor: Actor,
  check: (tx: Tx) => Promise<unknown>,
  source: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const cancel = (reason: unknown) => reader.cancel(reason).catch(() => undefined)
  let stopWatching = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(stream) {
        stopWatching = watchAccess(actor, check, (error) => {
          stopWatching()
          stream.error(error)
          void cancel(error)
        })
      },
      async pull(stream) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          stopWatching()
          throw error
        })
        if (!done) return stream.enqueue(value)
        stopWatching()
        stream.close()
      },
      async cancel(reason) {
        stopWatching()
        await cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
