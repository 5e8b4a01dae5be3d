import { asOwner } from '#server/db/client.ts'
import { bringBack, forgetAhead, readClock, writeClock } from './clock-queries.ts'
import { judgeClock } from './judge-clock.ts'
import { log } from './log.ts'

export { TRUSTED_NOW } from './clock-queries.ts'

const MINUTE_MS = 60_000
/** The database is asked for its time every minute; this machine's clock costs nothing to look at. */
const LOOK_MS = MINUTE_MS
const GLANCE_MS = 1_000

/** A database that cannot be asked is asked again after this. */
const REST_MS = 10_000

let timer: NodeJS.Timeout | undefined
let looking: Promise<void> | undefined
let restingUntil = 0
/** The last look: by the clock that nobody sets, and by that of this machine. */
let last: { steady: number; date: number } | null = null

/**
 * Watches the clocks of the database and of this machine, now, every minute, and as soon as this machine's is set. Whoever
 * sets one wrongly, or rightly after it was wrong, loses nothing by it: what is due by a clock that has jumped ahead is
 * not removed for a day, and nothing waits for the time that one has gone back by. To be called after the queue has
 * started and before anything is removed.
 */
export async function startClock(): Promise<void> {
  last = null
  await look()
  timer = setInterval(glance, GLANCE_MS)
}

/** Lets the look that is under way end. */
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
      log.warn({ err: error }, 'the clock could not be looked at')
    })
    .finally(() => {
      looking = undefined
    })
}

/** What has passed since the last look, and how much more or less this machine's clock says. */
function sinceLast(): { elapsed: number; jump: number } {
  if (!last) return { elapsed: Infinity, jump: 0 }
  const elapsed = performance.now() - last.steady
  return { elapsed, jump: Date.now() - last.date - elapsed }
}

async function look(): Promise<void> {
  const seen = { steady: performance.now(), date: Date.now() }
  const { elapsed, jump } = sinceLast()
  const { ahead, back } = await asOwner(async (tx) => {
    const { now, marks } = await readClock(tx)
    const reading = judgeClock(marks, now, last && elapsed)
    await writeClock(tx, reading.marks)
    if (reading.back > 0) await bringBack(tx, reading.back)
    if (reading.back > 0 || jump < -MINUTE_MS || last === null) await forgetAhead(tx, seen.date)
    return reading
  })
  last = seen
  if (back > 0)
    log.warn({ minutes: Math.round(back / MINUTE_MS) }, 'the clock has gone back: what waits is brought back too')
  if (ahead > 0)
    log.warn(
      { minutes: Math.round(ahead / MINUTE_MS) },
      'the clock has jumped ahead, or this machine was off or asleep: nothing more is removed for good for a day',
    )
}
