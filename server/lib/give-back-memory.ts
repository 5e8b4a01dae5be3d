import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** After the first requests of whoever waited for the start. */
const AFTER_START_MS = 5_000
const EVERY_MS = 60_000
/** A thread that works less than this share of the time will not miss the tenth of a second that it takes. */
const IDLE = 0.05
/** What must have come on top since the last time. */
const WORTH_BYTES = 100 * 2 ** 20

/**
 * Gives back what the start needed, and later what work needed, when there is none: the room for young objects grows while
 * much is read, and stays grown. Bounding it from the beginning would win the same and cost half a second of each start.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: string; flavor: string; execution: string }) => Promise<void>
  let before = performance.eventLoopUtilization()
  let kept = 0
  const look = async () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (kept > 0 && (utilization > IDLE || process.memoryUsage.rss() < kept + WORTH_BYTES)) return
    await collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
    kept = process.memoryUsage.rss()
  }
  setTimeout(() => void look(), AFTER_START_MS).unref()
  setInterval(() => void look(), EVERY_MS).unref()
}
