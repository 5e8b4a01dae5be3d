import type { Socket } from 'node:net'
import { type Batch, Connection } from './connection.ts'
import {
  type Answer,
  errorResponse,
  message,
  query,
  readAnswer,
  readFirstColumn,
  ready,
  type TransactionStatus,
} from './protocol.ts'

/**
 * Sends protocol messages to the PostgreSQL backend of the embedded database, and calls `onAnswer` with each piece of the
 * answer. Resolves when the answer is complete.
 */
export type Backend = (messages: Buffer, onAnswer: (piece: Uint8Array) => void) => Promise<void>

interface BridgeOptions {
  backend: Backend
  /** The server settings that are sent to each new client, as PostgreSQL does. */
  parameters: Record<string, string>
  /** If set, clients must send this password. Needed if other users of the machine can reach the port. */
  password?: string | undefined
  /** Idle time after which a transaction is rolled back and its connection is closed. Default: 30 seconds. */
  idleInTransactionMs?: number
  /** Called when the backend is unusable. The process must end. */
  onBroken: (reason: string) => void
}

interface Task extends Batch {
  /** The client that sent the messages. Undefined for statements of the bridge itself. */
  client: Connection | undefined
  done?: (result: OwnResult) => void
}

/**
 * Result of a statement that the embedded database runs for the server itself, not for a client: the error message and the
 * first column of the rows.
 */
export interface OwnResult {
  error: string | undefined
  values: string[]
}

/** Maximum size of an answer. A larger answer is replaced by an error, because an answer needs twice its size in memory. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const SYNC = message('S')
const RESET = Buffer.concat([query('reset session authorization'), query('reset role'), query('reset all')])
const OWN = { client: undefined, endsExchange: true, mayHaveSet: false, stopsListening: false }

/**
 * Lets many connections share one PostgreSQL backend. The messages of a client up to Sync (or one simple query) run as one
 * unit. While a client has an open transaction, no other client uses the backend. Prepared statements are private to their
 * connection. Notifications go to the connections that listen. Settings do not outlast a transaction. Not supported:
 * cancellation, statement timeout, COPY FROM STDIN, exclusive session-level advisory locks.
 */
export class Bridge {
  readonly #options: BridgeOptions
  readonly #clients = new Set<Connection>()
  #queue: Task[] = []
  #owner: Connection | undefined
  #isRunning = false
  #isBroken = false
  #lastId = 0
  #idleTimer: NodeJS.Timeout | undefined
  #busyMs = 0

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  /** The total time that the backend has worked for clients, in milliseconds. */
  get busyMs(): number {
    return this.#busyMs
  }

  /** Serves a connection until it closes. */
  attach(socket: Socket): void {
    this.#lastId += 1
    const client: Connection = new Connection(
      this.#lastId,
      socket,
      this.#options,
      (batch) => this.#enqueue({ client, ...batch }),
      (sqlState, text) => this.#end(client, sqlState, text),
    )
    this.#clients.add(client)
    socket.on('close', () => this.#leave(client))
  }

  /** Runs a statement of the bridge itself. It waits in the queue with the statements of the clients. */
  run(sql: string): Promise<OwnResult> {
    return new Promise((done) => {
      this.#enqueue({ ...OWN, messages: query(sql), done })
    })
  }

  /** Ends every connection and rolls back open transactions. */
  async stop(): Promise<void> {
    const clients = [...this.#clients]
    for (const client of clients) this.#end(client, '57P01', 'The database is stopping.')
    await this.run('select 1')
  }

  #enqueue(task: Task): void {
    this.#queue.push(task)
    void this.#runQueue()
  }

  async #runQueue(): Promise<void> {
    if (this.#isRunning || this.#isBroken) return
    this.#isRunning = true
    for (let task = this.#next(); task && !this.#isBroken; task = this.#next()) await this.#runTask(task)
    this.#isRunning = false
  }

  #next(): Task | undefined {
    const index = this.#owner ? this.#queue.findIndex((task) => task.client === this.#owner) : 0
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0]
  }

  async #runTask(task: Task): Promise<void> {
    clearTimeout(this.#idleTimer)
    const { client } = task
    const began = performance.now()
    const answer = await this.#ask(task.messages, task.endsExchange)
    if (!answer) return
    if (client) this.#busyMs += performance.now() - began
    for (const { channel, whole } of answer.notifications)
      for (const one of this.#clients) if (one.channels.has(channel)) one.send(whole)
    const hasEnded = answer.status === 'I'
    this.#owner = hasEnded ? undefined : client
    if (hasEnded && client && task.mayHaveSet) {
      client.mayHaveSet = false
      await this.#ask(RESET, true)
    }
    for (const part of answer.forClient) client?.send(part)
    if (task.stopsListening) this.#listenAgain()
    if (this.#owner) this.#endWhenIdle(this.#owner)
    task.done?.({ error: answer.error, values: readFirstColumn(Buffer.concat(answer.forClient)) })
  }

  /** Sends messages to the backend and returns its answer. If the backend is broken, calls `onBroken` and returns undefined. */
  async #ask(messages: Buffer, endsExchange: boolean): Promise<Answer | undefined> {
    const pieces: Buffer[] = []
    let size = 0
    let tail: Buffer = Buffer.alloc(0)
    try {
      await this.#options.backend(messages, (piece) => {
        size += piece.length
        // A piece is a view of memory that the next one overwrites.
        if (size <= MAX_ANSWER_BYTES) pieces.push(Buffer.from(piece))
        // ReadyForQuery is the last six bytes.
        tail = Buffer.concat([tail, piece.subarray(-6)]).subarray(-6)
      })
    } catch (error) {
      return this.#break(error instanceof Error ? error.message : String(error))
    }
    const answer = readAnswer(size <= MAX_ANSWER_BYTES ? Buffer.concat(pieces) : tooLarge(tail))
    if (answer.fatal !== undefined) return this.#break(answer.fatal)
    if (endsExchange && answer.status === undefined) return this.#break('a statement had no end')
    return answer
  }

  #break(reason: string): undefined {
    this.#isBroken = true
    this.#options.onBroken(reason)
    return undefined
  }

  /**
   * Repeats LISTEN for all channels that clients listen to: an UNLISTEN of one client ends the listening of the shared backend.
   */
  #listenAgain(): void {
    const channels = new Set([...this.#clients].flatMap((client) => [...client.channels]))
    for (const channel of channels) void this.run(`listen ${quoteName(channel)}`)
  }

  #endWhenIdle(owner: Connection): void {
    this.#idleTimer = setTimeout(() => {
      if (this.#owner === owner) this.#end(owner, '25P03', 'The transaction was idle for too long and was rolled back.')
    }, this.#options.idleInTransactionMs ?? 30_000)
  }

  #end(client: Connection, sqlState: string, text: string): void {
    client.end(sqlState, text)
    this.#leave(client)
  }

  /**
   * Removes a connection, its waiting tasks and its state in the backend: an open transaction, prepared statements and
   * channels.
   */
  #leave(client: Connection): void {
    if (!this.#clients.delete(client)) return
    this.#queue = this.#queue.filter((task) => task.client !== client)
    const isOwner = this.#owner === client
    const isUsed = (channel: string) => [...this.#clients].some((one) => one.channels.has(channel))
    const unused = [...client.channels].filter((channel) => !isUsed(channel))
    if (!isOwner && client.names.size === 0 && unused.length === 0) return
    const messages = Buffer.concat([
      ...(isOwner ? [SYNC, query('rollback'), RESET] : []),
      ...[...client.names].map((name) => message('C', Buffer.from('S'), name)),
      SYNC,
      ...unused.map((channel) => query(`unlisten ${quoteName(channel)}`)),
    ])
    // Runs before all waiting tasks. If the client that leaves has the open transaction, the task is one of that client,
    // because no other tasks run until its end.
    this.#queue.unshift({ ...OWN, client: isOwner ? client : undefined, messages })
    void this.#runQueue()
  }
}

/** Returns an error in place of an answer that is too large. `tail` is the ReadyForQuery message at the end of the answer. */
function tooLarge(tail: Buffer): Buffer {
  const status = String.fromCharCode(tail[5]!) as TransactionStatus
  return Buffer.concat([
    errorResponse('ERROR', '54000', `The answer is larger than ${MAX_ANSWER_BYTES} bytes.`),
    ready(status),
  ])
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
