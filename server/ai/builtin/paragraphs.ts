import type { PageText } from '#shared/pdf-text/page-text.ts'
import { readHeading } from '#server/language/section-headings.ts'

/** A paragraph, heading or stray line as one line of text, with its page. */
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

/**
 * Returns the paragraphs of a paper. Joins wrapped lines (and removes a hyphen before a lower-case letter), so that
 * hard-wrapped plain text, OCR and laid-out text give the same result.
 */
export function readParagraphs(pages: readonly PageText[]): Paragraph[] {
  return pages.flatMap((page) => joinedLines(page.text).map((text) => ({ text, page: page.page })))
}

function joinedLines(text: string): string[] {
  const paragraphs: string[] = []
  const full = fullLine(text)
  let isOpen = false
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\s+/g, ' ').trim()
    const last = paragraphs.at(-1)
    if (line === '') isOpen = false
    else if (isOpen && last !== undefined && runsOn(last, line, full))
      paragraphs[paragraphs.length - 1] = joined(last, line)
    else {
      paragraphs.push(...pieces(line))
      isOpen = true
    }
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
