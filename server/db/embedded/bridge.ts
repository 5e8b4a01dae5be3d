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
  readAnswer,
  readFirstColumn,
  readText,
  ready,
  takeMessage,
  takeOpening,
  type TransactionStatus,
} from './protocol.ts'
import { makeNamesPrivate } from './statement-names.ts'
import { listens, maySetForSession, mayCopyIn, wipesOthers } from './statement-text.ts'

/** What the bridge needs of the one backend: runs protocol messages, hands each piece of the answer over. */
export type Backend = (messages: Buffer, onAnswer: (piece: Uint8Array) => void) => Promise<void>

interface BridgeOptions {
  backend: Backend
  /** Told to clients as they connect, as PostgreSQL does. */
  parameters: Record<string, string>
  /** Asked of clients when set: where others on the machine can reach the port. */
  password?: string | undefined
  /** A transaction without a statement for this long is rolled back and its connection ended. */
  idleInTransactionMs?: number
  /** The backend is broken beyond use; the process has to end. */
  onBroken: (reason: string) => void
}

interface Client {
  id: number
  socket: Socket
  phase: 'opening' | 'password' | 'open'
  received: Buffer[]
  receivedBytes: number
  /** Bytes until the next message is complete. */
  neededBytes: number
  batch: Buffer[]
  batchBytes: number
  names: Set<string>
  channels: Set<string>
  /** Has prepared what may be a COPY FROM STDIN. */
  copiesIn: boolean
  /** Texts seen in this batch. */
  setsForSession: boolean
  stopsListening: boolean
  wipes: boolean
}

interface Task {
  /** Undefined for the bridge's own work. */
  client: Client | undefined
  messages: Buffer
  /** Flush ends a batch without ending the exchange: the answer has no ReadyForQuery. */
  endsExchange: boolean
  resetAfter: boolean
  listenAfter: boolean
  done?: (result: OwnResult) => void
}

/** What a statement of the bridge's own gave: the text of its error, the first column of its rows. */
export interface OwnResult {
  error: string | undefined
  values: string[]
}

/** An answer larger than this is replaced by an error: it would have to be held in memory twice. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const MAX_BATCH_BYTES = 128 * 1024 * 1024
const NO_COPY = 'COPY FROM STDIN is not available with the embedded database'
const NO_WIPE = `do $$ begin raise exception using errcode = '0A000', message = 'DISCARD, DEALLOCATE ALL and CLOSE ALL are not available with the embedded database'; end $$`
const SYNC = message('S')

/**
 * Lets many connections share one PostgreSQL backend. What a client sends up to Sync (or one simple query) runs as one
 * piece; whoever has a transaction open has the backend alone until its end; prepared statements are private to their
 * connection; a notification goes to the connections that listen; settings do not outlast a transaction. What one
 * backend cannot give: cancelling, a statement time limit, COPY FROM STDIN, session-level advisory locks that exclude.
 */
export class Bridge {
  readonly #options: BridgeOptions
  readonly #clients = new Set<Client>()
  #queue: Task[] = []
  #owner: Client | undefined
  #isRunning = false
  #isBroken = false
  #lastId = 0
  #idleTimer: NodeJS.Timeout | undefined
  #lastUse = Date.now()

  constructor(options: BridgeOptions) {
    this.#options = options
  }

  /** Milliseconds since a client last used the backend; 0 while one does. */
  get idleMs(): number {
    return this.#isRunning || this.#owner || this.#queue.length > 0 ? 0 : Date.now() - this.#lastUse
  }

  /** Serves a connection until it closes. */
  attach(socket: Socket): void {
    const client: Client = {
      id: ++this.#lastId,
      socket,
      phase: 'opening',
      received: [],
      receivedBytes: 0,
      neededBytes: 8,
      batch: [],
      batchBytes: 0,
      names: new Set(),
      channels: new Set(),
      copiesIn: false,
      setsForSession: false,
      stopsListening: false,
      wipes: false,
    }
    this.#clients.add(client)
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.#receive(client, bytes))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave(client))
  }

  /** Runs a statement of the bridge's own between those of the clients. */
  run(sql: string): Promise<OwnResult> {
    return new Promise((done) => {
      this.#enqueue({
        client: undefined,
        messages: query(sql),
        endsExchange: true,
        resetAfter: false,
        listenAfter: false,
        done,
      })
    })
  }

  /** Ends every connection, rolls back what was open. */
  async stop(): Promise<void> {
    const clients = [...this.#clients]
    for (const client of clients) this.#end(client, '57P01', 'The database is stopping.')
    await this.run('select 1')
  }

  #receive(client: Client, bytes: Buffer): void {
    client.received.push(bytes)
    client.receivedBytes += bytes.length
    if (client.receivedBytes < client.neededBytes) return
    let rest = client.received.length === 1 ? bytes : Buffer.concat(client.received)
    try {
      for (;;) {
        const after = client.phase === 'opening' ? this.#open(client, rest) : this.#take(client, rest)
        if (!after) break
        rest = after
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#end(client, error.sqlState, error.message)
      return
    }
    client.received = rest.length > 0 ? [rest] : []
    client.receivedBytes = rest.length
    client.neededBytes = client.phase === 'opening' ? 8 : rest.length < 5 ? 5 : rest.readInt32BE(1) + 1
  }

  /** Answers an opening request; returns what follows it, or undefined when it is not complete or the last. */
  #open(client: Client, bytes: Buffer): Buffer | undefined {
    const taken = takeOpening(bytes)
    if (!taken) return undefined
    if (taken.opening.kind === 'encryption') client.socket.write('N')
    else if (taken.opening.kind === 'cancel') client.socket.end()
    else if (this.#options.password === undefined) this.#welcome(client)
    else {
      client.phase = 'password'
      client.socket.write(askForPassword())
    }
    return taken.rest
  }

  #welcome(client: Client): void {
    client.phase = 'open'
    const parameters = Object.entries(this.#options.parameters).map(([name, value]) => parameterStatus(name, value))
    client.socket.write(Buffer.concat([authenticationOk(), ...parameters, backendKey(), ready('I')]))
  }

  /** Takes one message into the client's batch; returns what follows it, or undefined when it is not complete. */
  #take(client: Client, bytes: Buffer): Buffer | undefined {
    const taken = takeMessage(bytes)
    if (!taken) return undefined
    const { type, whole, rest } = taken
    if (client.phase === 'password') {
      if (type !== 'p' || !isSame(readText(whole, 5).text, this.#options.password ?? ''))
        throw new ProtocolError('28P01', 'The password is wrong.')
      this.#welcome(client)
      return rest
    }
    switch (type) {
      case 'X':
        client.socket.end()
        return undefined
      case 'd':
      case 'c':
      case 'f':
        // What a client still sends after its COPY was refused; PostgreSQL drops it as well.
        return rest
      case 'Q':
      case 'P':
        this.#notice(client, readText(whole, type === 'Q' ? 5 : readText(whole, 5).next).text)
        break
      case 'B':
      case 'D':
      case 'C':
      case 'E':
      case 'S':
      case 'H':
      case 'F':
        break
      default:
        throw new ProtocolError('08P01', `A message of the unknown type ${JSON.stringify(type)} came in.`)
    }
    client.batch.push(makeNamesPrivate(client.id, client.names, type, whole))
    client.batchBytes += whole.length
    // Ignored where no COPY waits for data.
    if (client.copiesIn && (type === 'Q' || type === 'E')) client.batch.push(message('f', NO_COPY))
    if (client.batchBytes > MAX_BATCH_BYTES)
      throw new ProtocolError('54000', `More than ${MAX_BATCH_BYTES} bytes came in at once.`)
    if (type === 'Q' || type === 'S' || type === 'H' || type === 'F') this.#submit(client, type !== 'H')
    return rest
  }

  /** Remembers what the bridge has to do about a statement, by its text. */
  #notice(client: Client, sql: string): void {
    client.copiesIn ||= mayCopyIn(sql)
    client.wipes ||= wipesOthers(sql)
    client.setsForSession ||= maySetForSession(sql)
    for (const { channel, on } of listens(sql)) {
      if (on) client.channels.add(channel)
      else {
        if (channel === '*') client.channels.clear()
        client.channels.delete(channel)
        client.stopsListening = true
      }
    }
  }

  #submit(client: Client, endsExchange: boolean): void {
    const messages = client.wipes ? query(NO_WIPE) : Buffer.concat(client.batch)
    this.#enqueue({
      client,
      messages,
      endsExchange,
      resetAfter: client.setsForSession,
      listenAfter: client.stopsListening,
    })
    client.batch = []
    client.batchBytes = 0
    client.wipes = false
    client.stopsListening = false
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
    const answer = await this.#ask(task)
    if (!answer) return
    const { client } = task
    if (client) this.#lastUse = Date.now()
    for (const { channel, whole } of answer.notifications)
      for (const one of this.#clients) if (one.phase === 'open' && one.channels.has(channel)) one.socket.write(whole)
    const hasEnded = answer.status === 'I'
    this.#owner = hasEnded ? undefined : client
    if (hasEnded && task.resetAfter && client) {
      client.setsForSession = false
      await this.#askQuietly(
        Buffer.concat([query('reset session authorization'), query('reset role'), query('reset all')]),
      )
    }
    if (client) for (const part of answer.forClient) client.socket.write(part)
    if (task.listenAfter) this.#listenAgain()
    if (this.#owner) this.#endWhenIdle(this.#owner)
    task.done?.({ error: answer.error, values: readFirstColumn(Buffer.concat(answer.forClient)) })
  }

  /** Runs a task's messages; undefined, after raising the alarm, when the backend is broken. */
  async #ask(task: Task) {
    const pieces: Buffer[] = []
    let size = 0
    let tail: Buffer = Buffer.alloc(0)
    try {
      await this.#options.backend(task.messages, (piece) => {
        size += piece.length
        // The pieces lie in memory that the next one overwrites.
        if (size <= MAX_ANSWER_BYTES) pieces.push(Buffer.from(piece))
        // ReadyForQuery is the last six bytes.
        tail = Buffer.concat([tail, piece.subarray(-6)]).subarray(-6)
      })
    } catch (error) {
      return this.#break(error instanceof Error ? error.message : String(error))
    }
    const tooLarge = size > MAX_ANSWER_BYTES
    const status = tooLarge ? (String.fromCharCode(tail[5]!) as TransactionStatus) : undefined
    const bytes = status
      ? Buffer.concat([
          errorResponse('ERROR', '54000', `The answer is larger than ${MAX_ANSWER_BYTES} bytes.`),
          ready(status),
        ])
      : Buffer.concat(pieces)
    const answer = readAnswer(bytes)
    if (answer.fatal !== undefined) return this.#break(answer.fatal)
    if (task.endsExchange && answer.status === undefined) return this.#break('a statement had no end')
    return answer
  }

  async #askQuietly(messages: Buffer): Promise<void> {
    await this.#ask({ client: undefined, messages, endsExchange: true, resetAfter: false, listenAfter: false })
  }

  #break(reason: string): undefined {
    this.#isBroken = true
    this.#options.onBroken(reason)
    return undefined
  }

  /** The channels that somebody still listens to: an UNLISTEN of one client stopped them for all. */
  #listenAgain(): void {
    const channels = new Set([...this.#clients].flatMap((client) => [...client.channels]))
    for (const channel of channels) void this.run(`listen ${quoteName(channel)}`)
  }

  #endWhenIdle(owner: Client): void {
    this.#idleTimer = setTimeout(() => {
      if (this.#owner === owner) this.#end(owner, '25P03', 'The transaction was idle for too long and was rolled back.')
    }, this.#options.idleInTransactionMs ?? 30_000)
  }

  #end(client: Client, sqlState: string, text: string): void {
    if (!client.socket.destroyed)
      client.socket.end(errorResponse('FATAL', sqlState, text), () => client.socket.destroy())
    this.#leave(client)
  }

  /** Takes back everything that a connection has in the backend. */
  #leave(client: Client): void {
    if (!this.#clients.delete(client)) return
    this.#queue = this.#queue.filter((task) => task.client !== client)
    const isOwner = this.#owner === client
    const unused = [...client.channels].filter(
      (channel) => ![...this.#clients].some((one) => one.channels.has(channel)),
    )
    if (!isOwner && client.names.size === 0 && unused.length === 0) return
    const messages = Buffer.concat([
      ...(isOwner ? [SYNC, query('rollback')] : []),
      ...(isOwner && client.setsForSession ? [query('reset role'), query('reset all')] : []),
      ...[...client.names].map((name) => message('C', Buffer.from('S'), name)),
      SYNC,
      ...unused.map((channel) => query(`unlisten ${quoteName(channel)}`)),
    ])
    // First in the queue, as the owner whose turn it is.
    this.#queue.unshift({
      client: isOwner ? client : undefined,
      messages,
      endsExchange: true,
      resetAfter: false,
      listenAfter: false,
    })
    void this.#runQueue()
  }
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
