/**
 * How far a listener has heard. Events are numbered as they are written, but become visible as their transactions end,
 * in another order: a number cannot say what was heard. A snapshot of the database can: it is the exact set of
 * transactions that had ended. `seen`: everything visible in that snapshot was heard. With `upTo` and `row`: also the
 * events visible in `upTo` whose number is at most `row`, for a connection that broke half-way through a batch.
 */
export interface Cursor {
  seen: string
  part?: { upTo: string; row: number }
}

const SNAPSHOT = String.raw`\d{1,20}:\d{1,20}:(?:\d{1,20}(?:,\d{1,20})*)?`
const CURSOR = new RegExp(String.raw`^(${SNAPSHOT})(?:~(${SNAPSHOT})~(\d{1,15}))?$`)
/** A snapshot lists the transactions under way; this many are far beyond what a server takes. */
const MAX_LENGTH = 8_000

/** The cursor as the id of an event. */
export const writeCursor = ({ seen, part }: Cursor) => (part ? `${seen}~${part.upTo}~${part.row}` : seen)

/** The cursor that a Last-Event-ID names; undefined for anything else. */
export function readCursor(text: string | null | undefined): Cursor | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined
  const found = CURSOR.exec(text)
  if (!found) return undefined
  const [, seen, upTo, row] = found
  if (!isOrdered(seen!) || (upTo !== undefined && !isOrdered(upTo))) return undefined
  return upTo === undefined ? { seen: seen! } : { seen: seen!, part: { upTo, row: Number(row) } }
}

/** PostgreSQL refuses a snapshot whose numbers do not rise from its lower to its upper bound. */
function isOrdered(snapshot: string): boolean {
  const [low, high, open] = snapshot.split(':')
  const numbers = [low!, ...(open ? open.split(',') : []), high!].map(BigInt)
  const rises = numbers.every((one, index) => index === 0 || one >= numbers[index - 1]!)
  return rises && numbers[0]! > 0n && (!open || numbers.at(-2)! < numbers.at(-1)!)
}
