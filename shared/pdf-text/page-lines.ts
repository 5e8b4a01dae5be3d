import { cleanCharacters } from './page-characters.ts'
import { raisedText } from './raised-text.ts'

/** The fields of a pdf.js text item that the layout needs. `transform` is [a, b, c, d, x, y] in PDF user space. */
export interface TextItem {
  str: string
  transform: readonly number[]
  width: number
  fontName?: string
}

/**
 * The input of the layout for one page: text items in the order of the content stream, the page box, and /Rotate (degrees,
 * clockwise).
 */
export interface PageItems {
  items: readonly TextItem[]
  /** The page box: [x0, y0, x1, y1] in PDF user space. */
  view: readonly number[]
  rotate: number
}

/**
 * A segment of text on one baseline. Coordinates are in points from the lower left corner of the page as it is read; `y` is the
 * baseline. `font` is '' for mixed fonts. `gaps` is the number of wide gaps; one or more suggest table cells. `endsInSpace` is
 * true if the text layer has a space at the end of the line.
 */
export interface Line {
  text: string
  x: number
  x2: number
  y: number
  size: number
  font: string
  gaps: number
  endsInSpace: boolean
}

export interface PageLines {
  width: number
  height: number
  lines: Line[]
}

interface UprightItem {
  str: string
  x: number
  y: number
  width: number
  size: number
  font: string
}

/** Minimum width of a gap, in font sizes, that separates two segments on the same baseline. */
const SPLIT_GAP = 1

/** Minimum width of a gap, in font sizes, that separates two cells of a table row. */
const CELL_GAP = 1.5

/**
 * Joins the text items of a page to segments, in the order of the content stream. Drops text that does not run in the reading
 * direction of the page.
 */
export function pageSegments(page: PageItems): PageLines {
  const { items, width, height } = upright(page)
  const segments: Line[] = []
  let current: Line | null = null
  let weight = 0 // number of characters in the current size
  for (const item of items) {
    if (!item.str.trim()) {
      if (current && item.str) current.text += ' '
      continue
    }
    const length = item.str.length
    if (current && continues(current, item)) {
      current.text += joinedText(current, item, weight)
      current.x2 = Math.max(current.x2, item.x + item.width)
      if (item.font !== current.font && length > 2) current.font = ''
      if (length > weight) {
        current.size = item.size
        current.y = item.y
        weight = length
      } else if (sameSize(item.size, current.size)) {
        weight += length
      }
      continue
    }
    current = {
      text: item.str,
      x: item.x,
      x2: item.x + item.width,
      y: item.y,
      size: item.size,
      font: item.font,
      gaps: 0,
      endsInSpace: false,
    }
    weight = length
    segments.push(current)
  }
  for (const segment of segments) {
    segment.endsInSpace = /\s$/.test(segment.text)
    segment.text = cleanCharacters(segment.text)
  }
  return { width, height, lines: segments.filter((segment) => segment.text !== '') }
}

/**
 * An item is superscript if its font size is at most RAISED_SIZE times the size of the line and its baseline is at least
 * RAISED_BY times this size higher.
 */
const RAISED_SIZE = 0.85
const RAISED_BY = 0.1

/**
 * Returns the text of an item in the form in which it continues a line. `weight` is the number of characters that have the size
 * of the line.
 */
function joinedText(line: Line, item: UprightItem, weight: number): string {
  const isRaised = (high: Placed, low: Placed) =>
    high.size <= RAISED_SIZE * low.size && high.y - low.y >= RAISED_BY * low.size
  if (isRaised(item, line)) return raisedText(line.text, item.str)
  // A line that begins with the number of a footnote or an affiliation.
  const isMark = weight <= 3 && isRaised(line, item) && /^\p{L}/u.test(item.str) && !/\s$/.test(line.text)
  return isMark ? ` ${item.str}` : item.str
}

type Placed = Pick<Line, 'size' | 'y'>

/**
 * Joins consecutive segments on one baseline to one line, from left to right. Segments with a gap wider than `widest` font
 * sizes are not joined. A tab separates the cells of a table row.
 */
export function joinSegments(segments: readonly Line[], widest = Infinity): Line[] {
  const lines: Line[] = []
  for (const segment of segments) {
    const last = lines.at(-1)
    const gap = last ? segment.x - last.x2 : 0
    if (last && onOneRow(last, segment) && gap >= -0.5 * last.size && gap <= widest * last.size) {
      const isCell = gap > CELL_GAP * last.size
      last.text += (isCell ? '\t' : ' ') + segment.text
      last.endsInSpace = segment.endsInSpace
      if (isCell) last.gaps += segment.gaps + 1
      if (segment.font !== last.font && segment.text.length > 2) last.font = ''
      last.x2 = segment.x2
    } else {
      lines.push({ ...segment })
    }
  }
  return lines
}

/** Returns whether two lines have the same baseline, within a quarter of the larger font size. */
export const onOneRow = (a: Line, b: Line) => Math.abs(a.y - b.y) <= 0.25 * Math.max(a.size, b.size)

const sameSize = (a: number, b: number) => Math.abs(a - b) <= 0.1 * Math.max(a, b)

function continues(line: Line, item: UprightItem): boolean {
  const size = Math.max(line.size, item.size)
  const gap = item.x - line.x2
  if (gap > SPLIT_GAP * size || gap < -0.6 * size) return false
  const rise = Math.abs(item.y - line.y)
  // A small superscript or subscript (a footnote mark, an index) belongs to its line.
  return rise <= 0.2 * size || (rise <= 0.75 * size && !sameSize(line.size, item.size))
}

/**
 * Rotates the items so that the page reads from left to right, and drops items in other directions, such as margin stamps and
 * axis labels. The direction of most characters counts, because a landscape table is often drawn rotated on a portrait page.
 */
function upright(page: PageItems): { items: UprightItem[]; width: number; height: number } {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = page.view
  const votes = [0, 0, 0, 0]
  const turns = page.items.map((item) => {
    const turn = quarterTurns(item.transform[0] ?? 1, item.transform[1] ?? 0)
    if (turn !== null) votes[turn]! += item.str.trim().length
    return turn
  })
  const total = votes.reduce((sum, vote) => sum + vote, 0)
  const most = votes.indexOf(Math.max(...votes))
  // Without a clear majority, /Rotate decides.
  const viewTurn = ((Math.round(page.rotate / 90) % 4) + 4) % 4
  const turn = total > 0 && votes[most]! > 0.6 * total ? most : viewTurn
  const wide = x1 - x0
  const high = y1 - y0
  const items: UprightItem[] = []
  page.items.forEach((item, index) => {
    if (turns[index] !== turn) return
    const [a = 0, b = 0, c = 0, d = 0, px = 0, py = 0] = item.transform
    const size = Math.hypot(c, d) || Math.hypot(a, b)
    if (!(size > 0)) return
    const [x, y] = turned(px - x0, py - y0, wide, high, turn)
    items.push({ str: item.str, x, y, width: item.width, size, font: item.fontName ?? '' })
  })
  return turn % 2 === 0 ? { items, width: wide, height: high } : { items, width: high, height: wide }
}

/**
 * Returns the direction of text in quarter turns counterclockwise from left to right; null for slanted text, such as a
 * watermark.
 */
function quarterTurns(a: number, b: number): number | null {
  const angle = Math.atan2(b, a) / (Math.PI / 2)
  const turn = Math.round(angle)
  return Math.abs(angle - turn) > 0.1 ? null : (turn + 4) % 4
}

/** Returns the position of a point after the page has been rotated clockwise by `turn` quarter turns. */
function turned(x: number, y: number, width: number, height: number, turn: number): [number, number] {
  if (turn === 1) return [y, width - x]
  if (turn === 2) return [width - x, height - y]
  if (turn === 3) return [height - y, x]
  return [x, y]
}
