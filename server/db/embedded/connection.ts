import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  askForPassword,
  authenticationOk,
  backendKey,
  errorResponse,
  message,
  parameterStatus,
  ProtocolError,
  query,
  readText,
  ready,
  takeMessage,
  takeOpening,
} from './protocol.ts'
import { makeNamesPrivate } from './statement-names.ts'
import { listens, maySetForSession, mayCopyIn, wipesOthers } from './statement-text.ts'

/**
 * Messages of one client that the PostgreSQL backend runs as one unit: all messages up to a Sync or a Flush, or one simple
 * query.
 */
export interface Batch {
  messages: Buffer
  /** Whether the answer ends with ReadyForQuery. False for a batch that a Flush ends. */
  endsExchange: boolean
  /** True if a statement may have changed settings that would outlast the transaction. */
  mayHaveSet: boolean
  /** True if the batch contains an UNLISTEN. */
  stopsListening: boolean
}

interface ConnectionOptions {
  /** The server settings that are sent to each new client, as PostgreSQL does. */
  parameters: Record<string, string>
  /** If set, clients must send this password. Needed if other users of the machine can reach the port. */
  password?: string | undefined
}

const MAX_BATCH_BYTES = 128 * 1024 * 1024
const NO_COPY = 'COPY FROM STDIN is not available with the embedded database'
const NO_WIPE = `do $$ begin raise exception using errcode = '0A000', message = 'DISCARD, DEALLOCATE ALL and CLOSE ALL are not available with the embedded database'; end $$`

/**
 * The connection of one client to the embedded database. Splits the received messages into batches, and tracks the prepared
 * statements and channels of the client in the backend, which all clients share.
 */
export class Connection {
  /** The names of the client's prepared statements in the backend. */
  readonly names = new Set<string>()
  /** The channels that the client listens to. */
  readonly channels = new Set<string>()
  /** True if the open transaction of the client may have changed settings that would outlast the transaction. */
  mayHaveSet = false
  readonly #id: number
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #onBatch: (batch: Batch) => void
  readonly #onFault: (sqlState: string, text: string) => void
  #phase: 'opening' | 'password' | 'open' = 'opening'
  #received: Buffer[] = []
  #receivedBytes = 0
  /** Parsing continues when this number of bytes is received: the length of the next message, or of its header. */
  #neededBytes = 8
  #batch: Buffer[] = []
  #batchBytes = 0
  /** True if the client has sent a statement that may be COPY FROM STDIN. */
  #copiesIn = false
  #stopsListening = false
  #wipes = false

  /**
   * `id` is unique among all connections. `onFault` is called when the client violated the protocol and must be disconnected.
   */
  constructor(
    id: number,
    socket: Socket,
    options: ConnectionOptions,
    onBatch: (batch: Batch) => void,
    onFault: (sqlState: string, text: string) => void,
  ) {
    this.#id = id
    this.#socket = socket
    this.#options = options
    this.#onBatch = onBatch
    this.#onFault = onFault
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.on('error', () => socket.destroy())
  }

  send(bytes: Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes)
  }

  /** Closes the connection with a FATAL error, which the driver of the client throws. */
  end(sqlState: string, text: string): void {
    const socket = this.#socket
    if (!socket.destroyed) socket.end(errorResponse('FATAL', sqlState, text), () => socket.destroy())
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes)
    this.#receivedBytes += bytes.length
    if (this.#receivedBytes < this.#neededBytes) return
    let rest = this.#received.length === 1 ? bytes : Buffer.concat(this.#received)
    try {
      for (;;) {
        const after = this.#phase === 'opening' ? this.#open(rest) : this.#take(rest)
        if (!after) break
        rest = after
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#onFault(error.sqlState, error.message)
      return
    }
    this.#received = rest.length > 0 ? [rest] : []
    this.#receivedBytes = rest.length
    this.#neededBytes = this.#phase === 'opening' ? 8 : rest.length < 5 ? 5 : rest.readInt32BE(1) + 1
  }

  /** Handles an opening request of a connection. Returns the bytes after it, or undefined if the request is incomplete. */
  #open(bytes: Buffer): Buffer | undefined {
    const taken = takeOpening(bytes)
    if (!taken) return undefined
    if (taken.opening.kind === 'encryption') this.send(Buffer.from('N'))
    else if (taken.opening.kind === 'cancel') this.#socket.end()
    else if (this.#options.password === undefined) this.#welcome()
    else {
      this.#phase = 'password'
      this.send(askForPassword())
    }
    return taken.rest
  }

  #welcome(): void {
    this.#phase = 'open'
    const parameters = Object.entries(this.#options.parameters).map(([name, value]) => parameterStatus(name, value))
    this.send(Buffer.concat([authenticationOk(), ...parameters, backendKey(), ready('I')]))
  }

  /**
   * Adds the first message in `bytes` to the batch. Returns the bytes after it, or undefined if the message is incomplete or
   * ends the connection.
   */
  #take(bytes: Buffer): Buffer | undefined {
    const taken = takeMessage(bytes)
    if (!taken) return undefined
    const { type, whole, rest } = taken
    if (this.#phase === 'password') {
      if (type !== 'p' || !isSame(readText(whole, 5).text, this.#options.password ?? ''))
        throw new ProtocolError('28P01', 'The password is wrong.')
      this.#welcome()
      return rest
    }
    if (type === 'X') {
      this.#socket.end()
      return undefined
    }
    // Data after a refused COPY; PostgreSQL drops it as well.
    if ('dcf'.includes(type)) return rest
    if (!'QPBDCESHF'.includes(type))
      throw new ProtocolError('08P01', `A message has the unknown type ${JSON.stringify(type)}.`)
    if (type === 'Q') this.#notice(readText(whole, 5).text)
    if (type === 'P') this.#notice(readText(whole, readText(whole, 5).next).text)
    this.#batch.push(makeNamesPrivate(this.#id, this.names, type, whole))
    this.#batchBytes += whole.length
    // CopyFail. PostgreSQL ignores it when no COPY waits for data.
    if (this.#copiesIn && (type === 'Q' || type === 'E')) this.#batch.push(message('f', NO_COPY))
    if (this.#batchBytes > MAX_BATCH_BYTES)
      throw new ProtocolError('54000', `A batch is larger than ${MAX_BATCH_BYTES} bytes.`)
    if ('QSHF'.includes(type)) this.#submit(type !== 'H')
    return rest
  }

  /**
   * Records the effects of a statement that the bridge must handle itself, such as LISTEN. Detects them in the text of the
   * statement.
   */
  #notice(sql: string): void {
    this.#copiesIn ||= mayCopyIn(sql)
    this.#wipes ||= wipesOthers(sql)
    this.mayHaveSet ||= maySetForSession(sql)
    for (const { channel, on } of listens(sql)) {
      if (on) this.channels.add(channel)
      else {
        if (channel === '*') this.channels.clear()
        this.channels.delete(channel)
        this.#stopsListening = true
      }
    }
  }

  #submit(endsExchange: boolean): void {
    const messages = this.#wipes ? query(NO_WIPE) : Buffer.concat(this.#batch)
    const { mayHaveSet } = this
    const stopsListening = this.#stopsListening
    this.#batch = []
    this.#batchBytes = 0
    this.#wipes = false
    this.#stopsListening = false
    this.#onBatch({ messages, endsExchange, mayHaveSet, stopsListening })
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
