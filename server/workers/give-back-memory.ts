import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** After the first requests that waited for the start. */
const AFTER_START_MS = 5_000
const EVERY_MS = 60_000
/** Below this share of busy time, a pause of a tenth of a second is not noticed. */
const IDLE = 0.05
/** Minimum growth since the last collection. */
const WORTH_BYTES = 100 * 2 ** 20

/**
 * Releases the memory of the start, and later of finished work, while the server is idle. V8's young generation grows
 * under load and does not shrink. A fixed limit would save the same memory but cost half a second per start.
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
