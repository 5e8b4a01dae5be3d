import ipaddr from 'ipaddr.js'
import { asSystem } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import type { KeyActor } from './check-key.ts'
import { type CallRow, insertCalls } from './queries.ts'

const FLUSH_MS = 1000
/**
 * Maximum number of calls in memory that are not yet written to the database. Further calls are not recorded, so that they do
 * not exhaust the memory.
 */
const MOST_WAITING = 10_000

let waiting: CallRow[] = []
let timer: NodeJS.Timeout | undefined
let writing: Promise<void> = Promise.resolve()

/** Records a call with an API key. All calls of a second are written to the database together. */
export function recordCall(
  actor: KeyActor,
  call: { route: string; status: number; milliseconds: number; address: string },
): void {
  const { route, status, milliseconds, address } = call
  if (waiting.length >= MOST_WAITING) return
  waiting.push({
    key_id: actor.key.id,
    user_id: actor.userId,
    called_at: new Date().toISOString(),
    route,
    status,
    milliseconds,
    network: shortNetwork(address),
  })
  timer ??= setTimeout(() => void flushCalls(), FLUSH_MS)
}

/** Writes the recorded calls in memory to the database. */
export function flushCalls(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const rows = waiting
  waiting = []
  if (rows.length > 0)
    writing = writing.then(() =>
      asSystem((tx) => insertCalls(tx, rows)).catch((error: unknown) => {
        log.warn({ err: error, calls: rows.length }, 'calls with API keys could not be recorded')
      }),
    )
  return writing
}

/** Returns the network of an IP address (/24 of IPv4, /48 of IPv6), which does not identify a single machine. */
export function shortNetwork(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48`
}
