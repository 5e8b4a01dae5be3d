import type { Line, PageLines } from './page-lines.ts'
import { onOneRow } from './page-lines.ts'

/** Running heads and feet are in the top or bottom tenth of a page (BAND), in its three outermost rows (ROWS). */
const BAND = 0.1
const ROWS = 3
/** Maximum number of returned running heads. Each chapter or section can have a separate head; the first ones suffice. */
const MOST_HEADS = 12
const LONGEST_HEAD = 300

/** Replaces the numbers of a line, so that "Page 3 of 9" and "Page 4 of 9" become equal. */
const mask = (text: string) =>
  text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim()

/**
 * Returns a key that is equal for the same running head on several pages. Page numbers that increase by one with each page have
 * the same key.
 */
function keyOf(line: Line, page: number): string {
  const key = mask(line.text)
  return key === '#' ? `#${Number(line.text.replace(/\D/g, '')) - page}` : key
}

const PAGE_NUMBER = /^(?:(?:page|p|pp|seite|s) )?#(?: (?:of|von|sur|de|\/) #)?$/
const ROMAN_NUMBER = /^[ivxl]{1,6}$/

/**
 * Drops running heads and feet: lines that recur at the same height in the top or bottom band of several pages (ignoring
 * numbers), and page numbers in the outermost row. The order of the pages does not change. `heads` has the dropped lines with a
 * word, at most 12; of lines that differ only in numbers, it has only the first.
 */
export function stripRunningHeads(pages: readonly PageLines[]): { pages: PageLines[]; heads: string[] } {
  const outer = pages.map(outerLines)
  const seen = new Map<string, { page: number; y: number }[]>()
  outer.forEach((lines, page) => {
    for (const { line } of lines) {
      const key = keyOf(line, page)
      const at = seen.get(key)
      if (at) at.push({ page, y: line.y })
      else seen.set(key, [{ page, y: line.y }])
    }
  })
  const enough = pages.length <= 5 ? 2 : 3
  const heads = new Map<string, string>()
  const stripped = pages.map((page, index) => {
    const drop = new Set<Line>()
    const candidates = outer[index]!
    for (const { line } of candidates) {
      const key = keyOf(line, index)
      const at = seen.get(key)!.filter(({ y }) => Math.abs(y - line.y) <= 6)
      if (key !== '' && new Set(at.map(({ page }) => page)).size >= enough) drop.add(line)
    }
    for (const { line, row } of candidates) {
      // A number in the outermost row is the page number if only running heads are beside it.
      const key = mask(line.text)
      if (row > 0 || !(PAGE_NUMBER.test(key) || ROMAN_NUMBER.test(key))) continue
      const beside = candidates.filter((other) => other.line !== line && onOneRow(other.line, line))
      if (beside.every((other) => drop.has(other.line))) drop.add(line)
    }
    for (const { text } of drop) {
      const key = mask(text)
      if (/\p{L}{3}/u.test(key) && !heads.has(key) && heads.size < MOST_HEADS)
        heads.set(key, text.slice(0, LONGEST_HEAD))
    }
    return drop.size > 0 ? { ...page, lines: page.lines.filter((line) => !drop.has(line)) } : page
  })
  return { pages: stripped, heads: [...heads.values()] }
}

/**
 * Returns the lines in the outermost rows at the top and bottom of a page. `row` is the index of the row, counted from the edge
 * of the page.
 */
function outerLines(page: PageLines): { line: Line; row: number }[] {
  const found: { line: Line; row: number }[] = []
  const collect = (lines: Line[]) => {
    let row = -1
    let last: Line | null = null
    for (const line of lines) {
      // Rows of a scan can be slightly skewed.
      if (!last || Math.abs(last.y - line.y) > 0.8 * line.size) row++
      if (row >= ROWS) break
      found.push({ line, row })
      last = line
    }
  }
  collect(page.lines.filter((line) => line.y > page.height * (1 - BAND)).sort((a, b) => b.y - a.y))
  collect(page.lines.filter((line) => line.y < page.height * BAND).sort((a, b) => a.y - b.y))
  return found
}

/** Drops the line numbers in the left margin of a manuscript. Call it with segments that have not been joined to lines. */
export function dropLineNumbers(segments: readonly Line[]): readonly Line[] {
  const numbers = segments.filter((line) => /^\d{1,4}$/.test(line.text))
  if (numbers.length < 12) return segments
  const left = Math.min(...numbers.map((line) => line.x))
  const right = Math.min(...numbers.map((line) => line.x2))
  // Left-aligned or right-aligned.
  const column = numbers.filter((line) => line.x - left < 3 || line.x2 - right < 3).sort((a, b) => b.y - a.y)
  const counted = column.filter((line, index) => {
    const step = Number(line.text) - Number(column[index - 1]?.text)
    return step > 0 && step <= 5
  })
  const isLeftmost = segments.every((line) => line.x >= left || line.text.length <= 4)
  const counts = column.length >= 12 && counted.length >= column.length - 2
  const drop = new Set(column)
  return counts && isLeftmost ? segments.filter((line) => !drop.has(line)) : segments
}
