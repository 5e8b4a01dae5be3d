/**
 * The few messages of the PostgreSQL wire protocol (version 3) that the bridge reads or writes itself; everything else
 * passes through it unread. Layout: one type byte, a 32-bit length that counts itself, the body.
 * Source: PostgreSQL documentation, chapter "Frontend/Backend Protocol".
 */

/** One client may send this much in a single message; the embedded database has to hold it in memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** The request that opens a connection carries names only. */
const MAX_STARTUP_BYTES = 10_000

/** Codes that stand where the protocol version stands in an opening request. */
const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104
const CANCEL_REQUEST = 80_877_102

/** A client sent bytes that no client of this protocol sends, or more of them than are held. */
export class ProtocolError extends Error {
  readonly sqlState: string
  constructor(sqlState: string, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.sqlState = sqlState
  }
}

/** Puts type and length before a body. */
export function message(type: string, ...body: (Buffer | string)[]): Buffer {
  const parts = body.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part))
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(length, 1)
  return Buffer.concat([head, ...parts])
}

/** A simple query. */
export const query = (sql: string) => message('Q', sql)

/** ReadyForQuery in a transaction (`T`), a failed one (`E`) or none (`I`). */
export const ready = (status: TransactionStatus) => message('Z', Buffer.from(status))
export type TransactionStatus = 'I' | 'T' | 'E'

export const authenticationOk = () => message('R', Buffer.from([0, 0, 0, 0]))
export const askForPassword = () => message('R', Buffer.from([0, 0, 0, 3]))
export const parameterStatus = (name: string, value: string) => message('S', name, value)
/** A key with which nothing can be cancelled: one backend serves all and is never interrupted. */
export const backendKey = () => message('K', Buffer.alloc(8))

/** ErrorResponse. After FATAL the connection is to be closed. */
export function errorResponse(severity: 'ERROR' | 'FATAL', sqlState: string, text: string): Buffer {
  return message('E', `S${severity}`, `V${severity}`, `C${sqlState}`, `M${text}`, Buffer.from([0]))
}

/** A text that ends with a zero byte, and where the next field begins. */
export function readText(body: Buffer, from: number): { text: string; next: number } {
  const end = body.indexOf(0, from)
  if (end < 0) throw new ProtocolError('08P01', 'A text in a message has no end.')
  return { text: body.toString('utf8', from, end), next: end + 1 }
}

export type Opening = { kind: 'start' } | { kind: 'encryption' } | { kind: 'cancel' }

/** Takes an opening request off the front of `bytes`; undefined until all of it is there. */
export function takeOpening(bytes: Buffer): { opening: Opening; rest: Buffer } | undefined {
  if (bytes.length < 8) return undefined
  const length = bytes.readInt32BE(0)
  if (length < 8 || length > MAX_STARTUP_BYTES)
    throw new ProtocolError('08P01', 'The opening request has an impossible length.')
  if (bytes.length < length) return undefined
  const code = bytes.readInt32BE(4)
  const kind =
    code === SSL_REQUEST || code === GSS_REQUEST ? 'encryption' : code === CANCEL_REQUEST ? 'cancel' : 'start'
  if (kind === 'start' && code >> 16 !== 3)
    throw new ProtocolError('08P01', 'Only version 3 of the protocol is spoken here.')
  return { opening: { kind }, rest: bytes.subarray(length) }
}

/** Takes one message, with its head, off the front of `bytes`; undefined until all of it is there. */
export function takeMessage(bytes: Buffer): { type: string; whole: Buffer; rest: Buffer } | undefined {
  if (bytes.length < 5) return undefined
  const length = bytes.readInt32BE(1)
  if (length < 4) throw new ProtocolError('08P01', 'A message has an impossible length.')
  if (length > MAX_MESSAGE_BYTES)
    throw new ProtocolError('54000', `A message is larger than ${MAX_MESSAGE_BYTES} bytes.`)
  if (bytes.length < length + 1) return undefined
  return {
    type: String.fromCharCode(bytes[0]!),
    whole: bytes.subarray(0, length + 1),
    rest: bytes.subarray(length + 1),
  }
}

/** What the bridge has to know of an answer of the backend. */
export interface Answer {
  /** The answer without notifications: for the client that asked. */
  forClient: Buffer[]
  /** Notifications, whole, with their channel: for whoever listens. */
  notifications: { channel: string; whole: Buffer }[]
  /** The status of the last ReadyForQuery; undefined when there was none. */
  status: TransactionStatus | undefined
  /** The text of the first error. */
  error: string | undefined
  /** The text of a FATAL or PANIC error: the backend is gone. */
  fatal: string | undefined
}

/** Reads an answer's message heads. */
export function readAnswer(bytes: Buffer): Answer {
  const answer: Answer = { forClient: [], notifications: [], status: undefined, error: undefined, fatal: undefined }
  let kept = 0
  for (let at = 0; at < bytes.length;) {
    const next = at + 1 + bytes.readInt32BE(at + 1)
    const type = String.fromCharCode(bytes[at]!)
    if (type === 'Z') answer.status = String.fromCharCode(bytes[at + 5]!) as TransactionStatus
    if (type === 'E') {
      const text = bytes.toString('utf8', at + 5, next)
      answer.error ??= /\0M([^\0]*)/.exec(text)?.[1] ?? text
      if (/\0V(?:FATAL|PANIC)\0/.test(text)) answer.fatal = answer.error
    }
    if (type === 'A') {
      if (at > kept) answer.forClient.push(bytes.subarray(kept, at))
      answer.notifications.push({ channel: readText(bytes, at + 9).text, whole: bytes.subarray(at, next) })
      kept = next
    }
    at = next
  }
  if (kept < bytes.length) answer.forClient.push(bytes.subarray(kept))
  return answer
}

/** The first column of every row of an answer, as text; null becomes ''. */
export function readFirstColumn(bytes: Buffer): string[] {
  const values: string[] = []
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== 'D'.charCodeAt(0)) continue
    // Head (5), number of columns (2), length of the first (4).
    values.push(bytes.toString('utf8', at + 11, at + 11 + Math.max(0, bytes.readInt32BE(at + 7))))
  }
  return values
}
