/**
 * The position of a listener. Event numbers rise as rows are written, but rows become visible in commit order, so a
 * number is no position. A database snapshot is: it lists exactly the transactions that had ended. `seen`: every event
 * visible in that snapshot was received. With `upTo` and `row`: also the events visible in `upTo` with a number of at
 * most `row`, for a connection that broke within a batch.
 */
export interface Cursor {
  seen: string
  part?: { upTo: string; row: number }
}

const SNAPSHOT = String.raw`\d{1,20}:\d{1,20}:(?:\d{1,20}(?:,\d{1,20})*)?`
const CURSOR = new RegExp(String.raw`^(${SNAPSHOT})(?:~(${SNAPSHOT})~(\d{1,15}))?$`)
/** A snapshot lists the running transactions; a server never has as many as fit into this length. */
const MAX_LENGTH = 8_000
/** The largest transaction id. PostgreSQL reads a larger number as this one, which can break the order of a snapshot. */
const MAX_TRANSACTION = 2n ** 64n - 1n

/** Returns the cursor as an event id. */
export const writeCursor = ({ seen, part }: Cursor) => (part ? `${seen}~${part.upTo}~${part.row}` : seen)

/** Parses a Last-Event-ID; undefined when it is not a cursor. */
export function readCursor(text: string | null | undefined): Cursor | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined
  const found = CURSOR.exec(text)
  if (!found) return undefined
  const [, seen, upTo, row] = found
  if (!isOrdered(seen!) || (upTo !== undefined && !isOrdered(upTo))) return undefined
  return upTo === undefined ? { seen: seen! } : { seen: seen!, part: { upTo, row: Number(row) } }
}

/** Checks that the numbers are transaction ids that rise from the lower to the upper bound, as PostgreSQL requires. */
function isOrdered(snapshot: string): boolean {
  const [low, high, open] = snapshot.split(':')
  const numbers = [low!, ...(open ? open.split(',') : []), high!].map(BigInt)
  const rises = numbers.every((one, index) => index === 0 || one >= numbers[index - 1]!)
  return rises && numbers[0]! > 0n && numbers.at(-1)! <= MAX_TRANSACTION && (!open || numbers.at(-2)! < numbers.at(-1)!)
}
