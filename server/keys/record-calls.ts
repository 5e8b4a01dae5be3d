import ipaddr from 'ipaddr.js'
import { asSystem } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import type { KeyActor } from './check-key.ts'
import { type CallRow, insertCalls } from './queries.ts'

const FLUSH_MS = 1000
/** Maximum number of calls that wait for the database. Further calls are dropped, because a log must not fill the memory. */
const MOST_WAITING = 10_000

let waiting: CallRow[] = []
let timer: NodeJS.Timeout | undefined
let writing: Promise<void> = Promise.resolve()

/** Records a call with a key. The calls of a second are written together. */
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

/** Writes the calls that wait. */
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

/** Returns the network of an address without the part that names a machine: /24 of IPv4, /48 of IPv6. */
export function shortNetwork(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48`
}
