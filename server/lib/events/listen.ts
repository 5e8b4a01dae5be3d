import pg from 'pg'
import { database } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'

/** What is told between processes; each carries one short text. */
export const CHANNELS = {
  /** An account has a new event: its id. */
  event: 'lectern_event',
  /** A job waits: its kind. */
  job: 'lectern_job',
  /** A job was cancelled: its id. */
  cancel: 'lectern_cancel',
  /** The update of the journals has got further. */
  import: 'lectern_import',
} as const
type Channel = (typeof CHANNELS)[keyof typeof CHANNELS]

type Told = (channel: Channel | 'reconnected', text: string) => void

const CHECK_MS = 15_000
const MAX_WAIT_MS = 10_000
const listeners = new Set<Told>()

/**
 * Calls `told` for every notification, and with 'reconnected' after a gap in which some may have been missed.
 * Returns what ends it.
 */
export function onNotice(told: Told): () => void {
  listeners.add(told)
  return () => listeners.delete(told)
}

/** Opens the process's one listening connection, which reconnects until the returned function is called. */
export async function listen(): Promise<() => Promise<void>> {
  let isStopped = false
  let client: pg.Client | undefined
  let wait = 100
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ ...database().connection, connectionTimeoutMillis: 10_000, keepAlive: true })
    next.on('notification', ({ channel, payload }) => tell(channel as Channel, payload ?? ''))
    next.on('error', (error) => log.warn({ err: error }, 'the listening database connection failed'))
    next.once('end', () => again(next))
    client = next
    try {
      await next.connect()
      for (const channel of Object.values(CHANNELS)) await next.query(`listen ${channel}`)
    } catch (error) {
      void next.end().catch(() => undefined)
      throw error
    }
    wait = 100
  }
  const again = (ended: pg.Client) => {
    if (isStopped || client !== ended) return
    client = undefined
    timer = setTimeout(() => {
      wait = Math.min(wait * 2, MAX_WAIT_MS)
      connect().then(
        () => tell('reconnected', ''),
        (error: unknown) => {
          log.warn({ err: error }, 'cannot listen to the database; trying again')
          // Usually its end was told already, and this does nothing.
          if (client) again(client)
        },
      )
    }, wait)
  }
  // A connection can die without a word; the answer to a small question tells.
  const check = setInterval(() => {
    const asked = client
    if (!asked) return
    const late = setTimeout(() => void asked.end().catch(() => undefined), CHECK_MS / 3)
    asked.query('select 1').then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    )
  }, CHECK_MS)

  await connect()
  return async () => {
    isStopped = true
    clearInterval(check)
    clearTimeout(timer)
    await client?.end().catch(() => undefined)
  }
}

function tell(channel: Channel | 'reconnected', text: string): void {
  for (const told of listeners) told(channel, text)
}
