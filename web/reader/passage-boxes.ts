/**
 * A rectangle on a page. The numbers are fractions (0 to 1) of the page's width and height, so the rectangle is valid at every
 * zoom.
 */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Merges the boxes of text items into one box per line. Two items are in one line if they overlap vertically by more than half
 * of the smaller height and the horizontal gap between them is below 2.5 times the larger height; the text of the next column
 * is therefore another line. `ratio` is the page's width divided by its height.
 */
export function mergeLines(pieces: readonly Box[], ratio: number): Box[] {
  const lines: Box[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    if (last && isSameLine(last, piece, ratio)) lines[lines.length - 1] = union(last, piece)
    else lines.push(piece)
  }
  return lines
}

/**
 * Distance of a bar from the column to its right, as a fraction of the page width. The bar is then in the gap between columns.
 */
const BAR_GAP = 0.014
/** Left edges whose distance is below this fraction of the page width count as equal. */
const SAME_EDGE = 0.005

/**
 * Returns the vertical bars to the left of a passage, one for each group of consecutive lines in a column. `starts` are the top
 * left corners of all text items of the page. All numbers are fractions of the page.
 */
export function marginBars(
  lines: readonly Box[],
  starts: readonly Pick<Box, 'left' | 'top'>[],
): { left: number; top: number; height: number }[] {
  const columns = columnEdges(starts.map(({ left }) => left))
  const columnOf = (line: Box) => {
    const inLine = starts.filter(({ top }) => Math.abs(top - line.top) < line.height).map(({ left }) => left)
    // A line of the full width, such as one of an abstract, crosses the edge of the second column without an item that begins
    // there.
    const begins = (edge: number) => inLine.some((left) => Math.abs(left - edge) <= 2 * SAME_EDGE)
    const before = columns.filter((edge) => edge <= line.left + SAME_EDGE)
    return before.findLast(begins) ?? before.at(-1) ?? line.left
  }
  const bars: { column: number; top: number; bottom: number }[] = []
  for (const line of [...lines].sort((a, b) => columnOf(a) - columnOf(b) || a.top - b.top)) {
    const last = bars.at(-1)
    const column = columnOf(line)
    if (last && last.column === column && line.top <= last.bottom + line.height)
      last.bottom = Math.max(last.bottom, line.top + line.height)
    else bars.push({ column, top: line.top, bottom: line.top + line.height })
  }
  return bars.map(({ column, top, bottom }) => ({ left: Math.max(0.006, column - BAR_GAP), top, height: bottom - top }))
}

/**
 * Returns the left edges of the text columns of a page in ascending order. `lefts` are the left edges of all text items. An
 * edge belongs to a column if it has at least 40% as many items as the most frequent edge; line numbers and indents have fewer.
 * Of edges closer than 1% of the page width, only the left one is returned.
 */
export function columnEdges(lefts: readonly number[]): number[] {
  const counts = Map.groupBy(lefts, (left) => Math.round(left / SAME_EDGE))
  const most = Math.max(0, ...[...counts.values()].map((same) => same.length))
  return [...counts.values()]
    .filter((same) => same.length >= most * 0.4)
    .map((same) => Math.min(...same))
    .sort((a, b) => a - b)
    .filter((edge, at, all) => at === 0 || edge - all[at - 1]! > 2 * SAME_EDGE)
}

/** Extends the box of a line by 12% of its height at the top and at the bottom. */
export function padLine(line: Box): Box {
  const air = line.height * 0.12
  return { ...line, top: line.top - air, height: line.height + 2 * air }
}

function isSameLine(line: Box, piece: Box, ratio: number): boolean {
  const overlap = Math.min(line.top + line.height, piece.top + piece.height) - Math.max(line.top, piece.top)
  const lower = Math.min(line.height, piece.height)
  const gap = Math.max(piece.left - (line.left + line.width), line.left - (piece.left + piece.width)) * ratio
  return overlap > lower / 2 && gap < 2.5 * Math.max(line.height, piece.height)
}

function union(a: Box, b: Box): Box {
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  const bottom = Math.max(a.top + a.height, b.top + b.height)
  return { left, top, width: right - left, height: bottom - top }
}
