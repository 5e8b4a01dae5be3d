import { asSystem } from '#server/db/client.ts'
import { bringBack, forgetAhead, readClock, writeClock } from './clock-queries.ts'
import { judgeClock } from './judge-clock.ts'
import { log } from '#server/lib/log.ts'

export { TRUSTED_NOW } from './clock-queries.ts'

const MINUTE_MS = 60_000
/** Interval of database clock checks. Checks of this machine's clock are free. */
const LOOK_MS = MINUTE_MS
const GLANCE_MS = 1_000

/** Pause after a failed check. */
const REST_MS = 10_000

let timer: NodeJS.Timeout | undefined
let looking: Promise<void> | undefined
let restingUntil = 0
/** The last check: the monotonic clock and the wall clock of this machine. */
let last: { steady: number; date: number } | null = null

/**
 * Watches the clocks of the database and of this machine: at the start, every minute, and when this machine's clock is
 * set. A wrong clock causes no data loss: after a jump ahead, nothing is deleted permanently for a day; after a jump
 * back, nothing waits for the length of the jump. Call it after the queue has started and before anything is removed.
 */
export async function startClock(): Promise<void> {
  last = null
  await look()
  timer = setInterval(glance, GLANCE_MS)
}

/** Waits for a running check and stops. */
export async function stopClock(): Promise<void> {
  clearInterval(timer)
  await looking
}

function glance(): void {
  if (looking || performance.now() < restingUntil) return
  if (sinceLast().elapsed < LOOK_MS && Math.abs(sinceLast().jump) < MINUTE_MS) return
  looking = look()
    .catch((error: unknown) => {
      restingUntil = performance.now() + REST_MS
      log.warn({ err: error }, 'the clock could not be checked')
    })
    .finally(() => {
      looking = undefined
    })
}

/** Returns the time since the last check and the jump of this machine's wall clock, in milliseconds. */
function sinceLast(): { elapsed: number; jump: number } {
  if (!last) return { elapsed: Infinity, jump: 0 }
  const elapsed = performance.now() - last.steady
  return { elapsed, jump: Date.now() - last.date - elapsed }
}

async function look(): Promise<void> {
  const seen = { steady: performance.now(), date: Date.now() }
  const { elapsed, jump } = sinceLast()
  const { ahead, back } = await asSystem(async (tx) => {
    const { now, marks } = await readClock(tx)
    const reading = judgeClock(marks, now, last && elapsed)
    await writeClock(tx, reading.marks)
    if (reading.back > 0) await bringBack(tx, reading.back)
    if (reading.back > 0 || jump < -MINUTE_MS || last === null) await forgetAhead(tx, seen.date)
    return reading
  })
  last = seen
  if (back > 0)
    log.warn({ minutes: Math.round(back / MINUTE_MS) }, 'the clock has gone back: due times are shifted back too')
  if (ahead > 0)
    log.warn(
      { minutes: Math.round(ahead / MINUTE_MS) },
      'the clock has jumped ahead, or this machine was off or asleep: permanent deletions pause for a day',
    )
}
