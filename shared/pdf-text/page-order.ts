import type { Line } from './page-lines.ts'
import { onOneRow } from './page-lines.ts'

/** Maximum share of jumps in a content stream whose order is used as the reading order. */
const DISORDER = 0.25

/**
 * Returns the segments of one page in reading order. Uses the order of the content stream if it has few jumps, because it
 * reflects the structure of the document. Otherwise (for example, if it goes row by row across columns) uses the geometry of
 * the page: columns from left to right, separated by the lines that span them.
 */
export function readingOrder(segments: readonly Line[], width: number): Line[] {
  const gutter = findGutter(segments, width)
  const before = disorder(segments, gutter)
  if (segments.length < 6 || before <= DISORDER) return [...segments]
  const sorted = byGeometry(segments, width, 0)
  return disorder(sorted, gutter) < before / 2 ? sorted : [...segments]
}

/**
 * Returns the share of jumps among the steps from one segment to the next. A jump is a step that goes up, goes back in a row,
 * or changes the column.
 */
function disorder(segments: readonly Line[], gutter: Gutter | null): number {
  let bad = 0
  for (let index = 1; index < segments.length; index++) {
    const a = segments[index - 1]!
    const b = segments[index]!
    const climbs = b.y - a.y > 2 * Math.max(a.size, b.size)
    const goesBack = onOneRow(a, b) && b.x2 < a.x
    const crosses = gutter !== null && side(a, gutter) * side(b, gutter) === -1
    if (climbs || goesBack || crosses) bad++
  }
  return segments.length > 1 ? bad / (segments.length - 1) : 0
}

interface Gutter {
  left: number
  right: number
}

/** Returns the side of a line: -1 left of the gutter, 1 right of it, 0 across it. */
const side = (line: Line, gutter: Gutter) => {
  if (line.x2 <= gutter.right && line.x < gutter.left) return -1
  return line.x >= gutter.left && line.x2 > gutter.right ? 1 : 0
}

const BIN = 2 // points

/**
 * Finds the gutter between columns: the widest vertical strip in the middle 70 % of the text that few segments cross, with text
 * on both sides.
 */
function findGutter(segments: readonly Line[], width: number): Gutter | null {
  if (segments.length < 8) return null
  const bins = new Array<number>(Math.max(1, Math.ceil(width / BIN))).fill(0)
  let left = width
  let right = 0
  for (const line of segments) {
    left = Math.min(left, line.x)
    right = Math.max(right, line.x2)
    const last = Math.min(bins.length - 1, Math.floor((line.x2 - 0.01) / BIN))
    for (let bin = Math.max(0, Math.floor(line.x / BIN)); bin <= last; bin++) bins[bin]!++
  }
  const from = Math.floor((left + 0.15 * (right - left)) / BIN)
  const to = Math.floor((left + 0.85 * (right - left)) / BIN)
  const busy = bins.slice(from, to).sort((a, b) => a - b)
  const crowd = busy[Math.floor(busy.length * 0.75)] ?? 0
  let best: Gutter | null = null
  for (let bin = from; bin < to; bin++) {
    if (bins[bin]! > 0.35 * crowd) continue
    const start = bin
    while (bin < to && bins[bin]! <= 0.35 * crowd) bin++
    const gutter = { left: start * BIN, right: bin * BIN }
    if (!best || gutter.right - gutter.left > best.right - best.left) best = gutter
  }
  if (!best || best.right - best.left < 3 * BIN) return null
  const found = best
  const sides = segments.map((line) => side(line, found))
  const enough = Math.max(4, 0.2 * segments.length)
  return sides.filter((s) => s === -1).length >= enough && sides.filter((s) => s === 1).length >= enough ? best : null
}

/**
 * Orders segments by columns from left to right. A segment across the gutter ends the columns above it. A column can contain
 * columns.
 */
function byGeometry(segments: readonly Line[], width: number, depth: number): Line[] {
  const rows = byRows(segments)
  const gutter = depth < 3 ? findGutter(segments, width) : null
  if (!gutter) return rows
  const ordered: Line[] = []
  let columns: [Line[], Line[]] = [[], []]
  const close = () => {
    for (const column of columns) if (column.length > 0) ordered.push(...byGeometry(column, width, depth + 1))
    columns = [[], []]
  }
  for (const line of rows) {
    const where = side(line, gutter)
    if (where === 0) {
      close()
      ordered.push(line)
    } else {
      columns[where === -1 ? 0 : 1].push(line)
    }
  }
  close()
  return ordered
}

/**
 * Orders segments by rows from top to bottom, and in a row from left to right. Builds the rows first, because `onOneRow` is not
 * transitive and so cannot be used by a sort.
 */
function byRows(segments: readonly Line[]): Line[] {
  const rows: Line[][] = []
  for (const line of [...segments].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1)
    if (row && onOneRow(row[0]!, line)) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x))
}
