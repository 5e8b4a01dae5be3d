/**
 * The position of a listener in the stream of events. The number of an event is no position: numbers increase in the order of
 * the inserts, but rows become visible in the order of the commits. Therefore a position is a snapshot of the database
 * (`pg_current_snapshot`), which names the transactions that had not ended. The listener has received every event that is
 * visible in the snapshot `seen`. If the connection broke within a batch, `part` is set: the listener has also received those
 * events that are visible in the snapshot `part.upTo` and have a number up to `part.row`.
 */
export interface Cursor {
  seen: string
  part?: { upTo: string; row: number }
}

const SNAPSHOT = String.raw`\d{1,20}:\d{1,20}:(?:\d{1,20}(?:,\d{1,20})*)?`
const CURSOR = new RegExp(String.raw`^(${SNAPSHOT})(?:~(${SNAPSHOT})~(\d{1,15}))?$`)
/**
 * Maximum length of a cursor in characters. A snapshot contains the ids of the running transactions; a server never has so many
 * of them that this length is exceeded.
 */
const MAX_LENGTH = 8_000
/**
 * The largest possible transaction id. PostgreSQL replaces a larger number by this id, which can break the order of a snapshot.
 */
const MAX_TRANSACTION = 2n ** 64n - 1n

/** Returns the cursor as the text that an event of the stream has as its id. */
export const writeCursor = ({ seen, part }: Cursor) => (part ? `${seen}~${part.upTo}~${part.row}` : seen)

/** Parses the header Last-Event-ID. Returns undefined if the text is not a cursor. */
export function readCursor(text: string | null | undefined): Cursor | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined
  const found = CURSOR.exec(text)
  if (!found) return undefined
  const [, seen, upTo, row] = found
  if (!isOrdered(seen!) || (upTo !== undefined && !isOrdered(upTo))) return undefined
  return upTo === undefined ? { seen: seen! } : { seen: seen!, part: { upTo, row: Number(row) } }
}

/**
 * Returns whether the numbers of a snapshot are transaction ids in ascending order from the lower to the upper bound, as
 * PostgreSQL requires.
 */
function isOrdered(snapshot: string): boolean {
  const [low, high, open] = snapshot.split(':')
  const numbers = [low!, ...(open ? open.split(',') : []), high!].map(BigInt)
  const rises = numbers.every((one, index) => index === 0 || one >= numbers[index - 1]!)
  return rises && numbers[0]! > 0n && numbers.at(-1)! <= MAX_TRANSACTION && (!open || numbers.at(-2)! < numbers.at(-1)!)
}
