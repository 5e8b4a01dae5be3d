import { cleanCharacters } from './page-characters.ts'

/** The part of a pdf.js text item that layout needs. `transform` is [a, b, c, d, x, y] in PDF user space. */
export interface TextItem {
  str: string
  transform: readonly number[]
  width: number
  fontName?: string
}

/** What a page holds before layout: its text items in stream order, its box and its /Rotate (degrees, clockwise). */
export interface PageItems {
  items: readonly TextItem[]
  /** [x0, y0, x1, y1] in PDF user space. */
  view: readonly number[]
  rotate: number
}

/**
 * One stretch of text on one baseline. Lengths are in points, from the lower left corner of the page as it is read;
 * `y` is the baseline. `font` is empty when several fonts are mixed. `gaps` counts the wide gaps inside it: more than none means cells of a table or the like.
 */
export interface Line {
  text: string
  x: number
  x2: number
  y: number
  size: number
  font: string
  gaps: number
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

/** A gap wider than this many times the font size parts two stretches of text on the same baseline. */
const SPLIT_GAP = 1

/** Items to stretches of text in stream order, with text that does not run in the page's reading direction left out. */
export function pageSegments(page: PageItems): PageLines {
  const { items, width, height } = upright(page)
  const segments: Line[] = []
  let current: Line | null = null
  let weight = 0 // characters that voted for the current size
  for (const item of items) {
    if (!item.str.trim()) {
      if (current && item.str) current.text += ' '
      continue
    }
    const length = item.str.length
    if (current && continues(current, item)) {
      current.text += item.str
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
    }
    weight = length
    segments.push(current)
  }
  for (const segment of segments) segment.text = cleanCharacters(segment.text)
  return { width, height, lines: segments.filter((segment) => segment.text !== '') }
}

/**
 * Joins neighbours in reading order that stand on one baseline, left to right, into one line; not over a gap wider
 * than `widest` times the font size.
 */
export function joinSegments(segments: readonly Line[], widest = Infinity): Line[] {
  const lines: Line[] = []
  for (const segment of segments) {
    const last = lines.at(-1)
    const gap = last ? segment.x - last.x2 : 0
    if (last && onOneRow(last, segment) && gap >= -0.5 * last.size && gap <= widest * last.size) {
      last.text += ` ${segment.text}`
      if (gap > 1.5 * last.size) last.gaps += segment.gaps + 1
      if (segment.font !== last.font && segment.text.length > 2) last.font = ''
      last.x2 = segment.x2
    } else {
      lines.push({ ...segment })
    }
  }
  return lines
}

export const onOneRow = (a: Line, b: Line) => Math.abs(a.y - b.y) <= 0.25 * Math.max(a.size, b.size)

const sameSize = (a: number, b: number) => Math.abs(a - b) <= 0.1 * Math.max(a, b)

function continues(line: Line, item: UprightItem): boolean {
  const size = Math.max(line.size, item.size)
  const gap = item.x - line.x2
  if (gap > SPLIT_GAP * size || gap < -0.6 * size) return false
  const rise = Math.abs(item.y - line.y)
  // A raised or lowered small glyph (a footnote mark, an index) belongs to its line.
  return rise <= 0.2 * size || (rise <= 0.75 * size && !sameSize(line.size, item.size))
}

/**
 * Turns items so that the page reads from left to right, and drops those that run in another direction (stamps along
 * the margin, axis labels). The direction is the one of most characters: a landscape table is often drawn turned on an
 * upright page.
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
  // Without a clear majority the page's own rotation decides.
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

/** Direction of text as quarter turns counter-clockwise; null for slanted text (a watermark across the page). */
function quarterTurns(a: number, b: number): number | null {
  const angle = Math.atan2(b, a) / (Math.PI / 2)
  const turn = Math.round(angle)
  return Math.abs(angle - turn) > 0.1 ? null : (turn + 4) % 4
}

/** A point of a page of the given size after turning the page clockwise by `turn` quarters. */
function turned(x: number, y: number, width: number, height: number, turn: number): [number, number] {
  if (turn === 1) return [y, width - x]
  if (turn === 2) return [width - x, height - y]
  if (turn === 3) return [height - y, x]
  return [x, y]
}
