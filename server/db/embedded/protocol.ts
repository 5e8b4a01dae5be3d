/**
 * The messages of the PostgreSQL wire protocol (version 3) that the bridge reads or writes itself; all others pass
 * through. Format: one type byte, a 32-bit length that includes itself, the body. Source: PostgreSQL documentation,
 * chapter "Frontend/Backend Protocol".
 */

/** Maximum size of a client's message, which must fit into memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** Maximum size of an opening request, which contains only names. */
const MAX_STARTUP_BYTES = 10_000

/** Codes that an opening request can have in place of the protocol version. */
const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104
const CANCEL_REQUEST = 80_877_102

/** The error for a client that violated the protocol or exceeded a size limit. */
export class ProtocolError extends Error {
  readonly sqlState: string
  constructor(sqlState: string, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.sqlState = sqlState
  }
}

/**
 * Builds a message of the PostgreSQL protocol: the type (one letter), the length and the body. A string in `body` gets a final
 * zero byte.
 */
export function message(type: string, ...body: (Buffer | string)[]): Buffer {
  const parts = body.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part))
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(length, 1)
  return Buffer.concat([head, ...parts])
}

/** Builds the message Query of the PostgreSQL protocol: a simple query with the text `sql`. */
export const query = (sql: string) => message('Q', sql)

/** Builds the message ReadyForQuery. The status is in a transaction (`T`), in a failed transaction (`E`) or in none (`I`). */
export const ready = (status: TransactionStatus) => message('Z', Buffer.from(status))
export type TransactionStatus = 'I' | 'T' | 'E'

/** Returns the message AuthenticationOk of the PostgreSQL protocol: the client is authenticated. */
export const authenticationOk = () => message('R', Buffer.from([0, 0, 0, 0]))
/** Returns the message AuthenticationCleartextPassword of the PostgreSQL protocol: the client must send a password. */
export const askForPassword = () => message('R', Buffer.from([0, 0, 0, 3]))
/** Returns the message ParameterStatus: the value of a server setting. */
export const parameterStatus = (name: string, value: string) => message('S', name, value)
/**
 * Builds the message BackendKeyData of the PostgreSQL protocol. Its key is empty: requests cannot be cancelled, because the
 * single backend is never interrupted.
 */
export const backendKey = () => message('K', Buffer.alloc(8))

/** Builds an ErrorResponse. After FATAL the connection must be closed. */
export function errorResponse(severity: 'ERROR' | 'FATAL', sqlState: string, text: string): Buffer {
  return message('E', `S${severity}`, `V${severity}`, `C${sqlState}`, `M${text}`, Buffer.from([0]))
}

/**
 * Reads the text from the offset `from` to the next zero byte. `next` is the offset after this byte, at which the next field
 * starts. Throws a ProtocolError if there is no zero byte.
 */
export function readText(body: Buffer, from: number): { text: string; next: number } {
  const end = body.indexOf(0, from)
  if (end < 0) throw new ProtocolError('08P01', 'A text in a message is not terminated.')
  return { text: body.toString('utf8', from, end), next: end + 1 }
}

export type Opening = { kind: 'start' } | { kind: 'encryption' } | { kind: 'cancel' }

/**
 * Splits the first message of a client, which has no type, off the start of `bytes`: a request for encryption, for a
 * cancellation, or for the start of a session. `rest` has the other bytes. Returns undefined while the message is incomplete.
 * Throws a ProtocolError for an invalid length or a version of the protocol other than 3.
 */
export function takeOpening(bytes: Buffer): { opening: Opening; rest: Buffer } | undefined {
  if (bytes.length < 8) return undefined
  const length = bytes.readInt32BE(0)
  if (length < 8 || length > MAX_STARTUP_BYTES)
    throw new ProtocolError('08P01', 'The opening request has an invalid length.')
  if (bytes.length < length) return undefined
  const code = bytes.readInt32BE(4)
  const kind =
    code === SSL_REQUEST || code === GSS_REQUEST ? 'encryption' : code === CANCEL_REQUEST ? 'cancel' : 'start'
  if (kind === 'start' && code >> 16 !== 3)
    throw new ProtocolError('08P01', 'Only version 3 of the protocol is supported.')
  return { opening: { kind }, rest: bytes.subarray(length) }
}

/**
 * Splits one message, with its header, off the start of `bytes`. `rest` has the other bytes. Returns undefined while the
 * message is incomplete. Throws a ProtocolError for an invalid or too large length.
 */
export function takeMessage(bytes: Buffer): { type: string; whole: Buffer; rest: Buffer } | undefined {
  if (bytes.length < 5) return undefined
  const length = bytes.readInt32BE(1)
  if (length < 4) throw new ProtocolError('08P01', 'A message has an invalid length.')
  if (length > MAX_MESSAGE_BYTES)
    throw new ProtocolError('54000', `A message is larger than ${MAX_MESSAGE_BYTES} bytes.`)
  if (bytes.length < length + 1) return undefined
  return {
    type: String.fromCharCode(bytes[0]!),
    whole: bytes.subarray(0, length + 1),
    rest: bytes.subarray(length + 1),
  }
}

/**
 * An answer of the PostgreSQL backend, split into the messages for the client that asked and the notifications for other
 * clients.
 */
export interface Answer {
  /** The answer without notifications, for the client of the request. */
  forClient: Buffer[]
  /** Complete notification messages with their channels, for the clients that listen. */
  notifications: { channel: string; whole: Buffer }[]
  /** The status of the last ReadyForQuery; undefined if the answer has no ReadyForQuery. */
  status: TransactionStatus | undefined
  /** The message of the first error in the answer. */
  error: string | undefined
  /** The message of a FATAL or PANIC error: the backend is unusable. */
  fatal: string | undefined
}

/**
 * Splits a complete answer of the PostgreSQL backend into the messages for the client and the notifications for all clients.
 */
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

/** Returns the first column of every row of an answer, as text; null becomes ''. */
export function readFirstColumn(bytes: Buffer): string[] {
  const values: string[] = []
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== 'D'.charCodeAt(0)) continue
    // Header (5), number of columns (2), length of the first (4).
    values.push(bytes.toString('utf8', at + 11, at + 11 + Math.max(0, bytes.readInt32BE(at + 7))))
  }
  return values
}
