import pg from 'pg'
import { database } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'

/** Channels for notifications between processes. The payload of a notification is a short text. */
export const CHANNELS = {
  /** An account has a new event. Payload: account id. */
  event: 'lectern_event',
  /** A job is waiting. Payload: job kind. */
  job: 'lectern_job',
  /** A job was cancelled. Payload: job id. */
  cancel: 'lectern_cancel',
  /** A job has ended. Payload: job id. */
  ended: 'lectern_job_ended',
  /** The update of the journal catalog has progressed. */
  import: 'lectern_import',
  /** An API key, or the user of an API key, has changed. A trigger sends the notification. */
  key: 'lectern_key',
  /** A document must be compared with the other documents of its project. No payload. */
  compare: 'lectern_compare',
  /** The generation of an answer must stop. Payload: message id. */
  answer: 'lectern_answer',
  /** A document must be indexed, or the indexing was paused or resumed. A trigger sends the notification. */
  index: 'lectern_index',
  /** Quotes of evidence must be searched in a new text. Sent by a trigger, and when evidence is moved to another paper. */
  evidence: 'lectern_evidence',
} as const
export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS]

type Listener = (channel: Channel | 'reconnected', text: string) => void

const CHECK_MS = 15_000
const MAX_WAIT_MS = 10_000
const listeners = new Set<Listener>()
let isConnected = false

/** Returns whether this process receives the notifications of the database. */
export const isListening = (): boolean => isConnected

/**
 * Calls `listener` for every notification of the database, with its channel and payload. After a broken connection is restored,
 * calls it with the channel 'reconnected', because notifications may be lost. Returns a function that removes the listener.
 */
export function onNotice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the connection on which this process receives notifications. It reconnects until the returned function is called. */
export async function listen(): Promise<() => Promise<void>> {
  let isStopped = false
  let client: pg.Client | undefined
  let wait = 100
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ ...database().connection, connectionTimeoutMillis: 10_000, keepAlive: true })
    next.on('notification', ({ channel, payload }) => notify(channel as Channel, payload ?? ''))
    next.on('error', (error) => log.warn({ err: error }, 'the listening database connection failed'))
    next.once('end', () => reconnect(next))
    client = next
    try {
      await next.connect()
      for (const channel of Object.values(CHANNELS)) await next.query(`listen ${channel}`)
    } catch (error) {
      void next.end().catch(() => undefined)
      throw error
    }
    wait = 100
    isConnected = true
  }
  const reconnect = (ended: pg.Client) => {
    if (client !== ended) return
    isConnected = false
    if (isStopped) return
    client = undefined
    timer = setTimeout(() => {
      wait = Math.min(wait * 2, MAX_WAIT_MS)
      connect().then(
        () => notify('reconnected', ''),
        (error: unknown) => {
          log.warn({ err: error }, 'cannot listen to the database; trying again')
          // Usually the connection's end was reported already, and this has no effect.
          if (client) reconnect(client)
        },
      )
    }, wait)
  }
  // A connection can die silently; a small query detects that.
  const check = setInterval(() => {
    const checked = client
    if (!checked) return
    const late = setTimeout(() => void checked.end().catch(() => undefined), CHECK_MS / 3)
    checked.query('select 1').then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    )
  }, CHECK_MS)

  await connect()
  return async () => {
    isStopped = true
    isConnected = false
    clearInterval(check)
    clearTimeout(timer)
    await client?.end().catch(() => undefined)
  }
}

function notify(channel: Channel | 'reconnected', text: string): void {
  for (const listener of listeners) listener(channel, text)
}
