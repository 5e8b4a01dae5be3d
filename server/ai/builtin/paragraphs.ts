import type { PageText } from '#shared/pdf-text/page-text.ts'
import { readNameRow } from './ocr-names.ts'
import { readHeading } from '#server/language/section-headings.ts'

/** A paragraph, a heading or a line that belongs to no paragraph, as one line of text, with its page. */
export interface Paragraph {
  text: string
  page: number
}

/** Maximum length of a line or a joined paragraph, in characters. It limits the time of later steps. */
const LONGEST_LINE = 5000
/**
 * A line without a final punctuation mark continues on the next line if it is a full line. The length of a full line is at
 * least this share of the upper quartile of the line lengths of the page, and at least SHORTEST_FULL_LINE characters.
 */
const FULL_LINE = 0.7
const SHORTEST_FULL_LINE = 35

/** The lines of the first page, and the characters of a line, within which a row of authors is recognized. */
const FIRST_LINES = 30
const LONGEST_ROW = 300
const NO_ROWS: ReadonlyMap<string, boolean> = new Map()

/**
 * Returns the paragraphs of a paper. Joins wrapped lines (and removes a hyphen before a lower-case letter), so that
 * hard-wrapped plain text, OCR and laid-out text give the same result.
 */
export function readParagraphs(pages: readonly PageText[]): Paragraph[] {
  return pages.flatMap((page, at) =>
    joinedLines(page.text, at === 0 ? rowsOfNames(page.text) : NO_ROWS).map((text) => ({ text, page: page.page })),
  )
}

/**
 * Returns the first lines of a page that are a row of names, such as the authors below the title, with true if the next line
 * continues the row.
 */
function rowsOfNames(text: string): ReadonlyMap<string, boolean> {
  const common = new Set(text.match(/(?<![\p{L}’'-])\p{Ll}{3,}/gu))
  const lines = text.split('\n', FIRST_LINES).map((raw) => raw.replace(/\s+/g, ' ').trim())
  const rows = lines.flatMap((line, at) => {
    const names = line.length < LONGEST_ROW ? readNameRow(line, (word) => common.has(word)) : null
    const isOpen = names?.isOpen || /^(?:and|und|et|y|&)\s/.test(lines[at + 1] ?? '')
    return names ? [[line, isOpen] as const] : []
  })
  return new Map(rows)
}

function joinedLines(text: string, rows: ReadonlyMap<string, boolean>): string[] {
  const paragraphs: string[] = []
  const full = fullLine(text)
  let isOpen = false
  let isRowOpen = false
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\s+/g, ' ').trim()
    const last = paragraphs.at(-1)
    if (line === '') isOpen = false
    else if (isOpen && last !== undefined && (isRowOpen || (!rows.has(line) && runsOn(last, line, full))))
      paragraphs[paragraphs.length - 1] = joined(last, line)
    else {
      paragraphs.push(...pieces(line))
      isOpen = true
    }
    isRowOpen = rows.get(line) ?? false
    if (rows.has(line) && !isRowOpen) isOpen = false
  }
  return paragraphs
}

function runsOn(before: string, line: string, full: number): boolean {
  if (before.length + line.length > LONGEST_LINE) return false
  if (/^(?:[•*▪–-]|\d{1,2}[.)]|\(\d{1,2}\))\s/.test(line)) return false
  if (/^\p{Ll}/u.test(line)) return before.length > 20
  // The length of the last line of a joined paragraph is unknown. The total length is compared instead.
  return before.length >= full && !/[.!?:;]["”’)\]]*$/.test(before) && readHeading(line) === null
}

/**
 * Returns the minimum length of a full line on this page, in characters. It depends on the longer lines of the page, because
 * the full lines of a wrapped text have about the same length.
 */
function fullLine(text: string): number {
  const lengths = text
    .split('\n')
    .map((line) => line.trim().length)
    .filter((length) => length > 0)
    .toSorted((a, b) => a - b)
  return Math.max(SHORTEST_FULL_LINE, FULL_LINE * (lengths[Math.floor(lengths.length * 0.75)] ?? 0))
}

const joined = (before: string, line: string) =>
  /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`

function pieces(line: string): string[] {
  const parts: string[] = []
  let rest = line
  while (rest.length > LONGEST_LINE) {
    const space = rest.lastIndexOf(' ', LONGEST_LINE)
    const cut = space > LONGEST_LINE / 2 ? space : LONGEST_LINE
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
  return [...parts, rest]
}
