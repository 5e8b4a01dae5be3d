import type { PageText } from '#shared/page-text.ts'

/** A paragraph, heading or stray line, on one line of text, and the page it stands on. */
export interface Paragraph {
  text: string
  page: number
}

/** Longer lines are cut, so that no later step meets a text without end. */
const LONGEST_LINE = 5000
/** A line at least this long that ends without a stop was broken by the width of its column. */
const FULL_LINE = 45

/**
 * The paragraphs of a paper. Lines that were broken to fit a column are joined again (a hyphen before a lower-case
 * letter goes), so hard-wrapped plain text, OCR and laid-out text read alike.
 */
export function readParagraphs(pages: readonly PageText[]): Paragraph[] {
  return pages.flatMap((page) => joinedLines(page.text).map((text) => ({ text, page: page.page })))
}

function joinedLines(text: string): string[] {
  const paragraphs: string[] = []
  let isOpen = false
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\s+/g, ' ').trim()
    const last = paragraphs.at(-1)
    if (line === '') isOpen = false
    else if (isOpen && last !== undefined && runsOn(last, line)) paragraphs[paragraphs.length - 1] = joined(last, line)
    else {
      paragraphs.push(...pieces(line))
      isOpen = true
    }
  }
  return paragraphs
}

function runsOn(before: string, line: string): boolean {
  if (before.length + line.length > LONGEST_LINE) return false
  if (/^(?:[•*▪–-]|\d{1,2}[.)]|\(\d{1,2}\))\s/.test(line)) return false
  if (/^\p{Ll}/u.test(line)) return before.length > 20
  // The last line so far cannot be told any more; a long paragraph without a stop at its end goes on.
  return before.length >= FULL_LINE && !/[.!?:;]["”’)\]]*$/.test(before)
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
