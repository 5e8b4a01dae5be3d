import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** After the first requests of whoever waited for the start. */
const AFTER_MS = 5_000

/**
 * Gives back, once, what the start needed and nobody needs after it: the room for young objects grows while a thousand
 * files are read, and stays grown. Bounding that room from the beginning would win the same and cost half a second of each
 * start. Takes a tenth of a second.
 */
export function giveBackMemoryOfStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (how: { type: string; flavor: string; execution: string }) => Promise<void>
    void collect({ type: 'major', flavor: 'last-resort', execution: 'async' })
  }, AFTER_MS).unref()
}
