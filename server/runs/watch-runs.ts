import { asSystem, database } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { failSilentRuns, touchRuns } from './write-queries.ts'

const REPORT_MS = 30_000
const STOPPED = 'The server stopped before the run ended.'

/** The ids of the runs (recorded analyses or answers) that this process currently executes. */
const own = new Set<string>()
let timer: NodeJS.Timeout | undefined
let reporting: Promise<void> = Promise.resolve()

/**
 * Registers a run (a recorded analysis or answer) that this process executes. The regular reports about it prevent other
 * servers from ending it.
 */
export const noteStart = (id: string): void => void own.add(id)

/** Unregisters a run (a recorded analysis or answer) that has ended: this process no longer reports it as running. */
export const noteEnd = (id: string): void => void own.delete(id)

/**
 * Marks the runs (recorded analyses or answers) of servers that have stopped as failed: once at the start, then every 30
 * seconds. Also reports every 30 seconds to the database that the runs of this process still run.
 */
export async function startRunWatch(): Promise<void> {
  await endSilentRuns(database().embedded)
  timer = setInterval(() => {
    reporting = reporting.then(report).catch((error: unknown) => log.warn({ err: error }, 'runs could not be checked'))
  }, REPORT_MS)
}

/**
 * Stops the timer of `startRunWatch`: this process no longer looks for the runs of stopped servers, and no longer reports its
 * own runs as running. Waits for a check in progress.
 */
export async function stopRunWatch(): Promise<void> {
  clearInterval(timer)
  await reporting
}

async function report(): Promise<void> {
  const ids = [...own]
  if (ids.length > 0) await asSystem((tx) => touchRuns(tx, ids))
  await endSilentRuns(false)
}

async function endSilentRuns(isAlone: boolean): Promise<void> {
  const count = await asSystem((tx) => failSilentRuns(tx, { own: [...own], isAlone, error: STOPPED }))
  if (count > 0) log.info({ count }, 'ended runs of a server that stopped')
}
