/**
 * Stored text of a paper: for each page, including empty ones, a `[Page N]` marker on its own line and then the text of the
 * page. Page offsets count UTF-16 units from the first character after the line break of the marker.
 */

/** One page of a stored text. `start` is the offset of `text` in the stored text. */
export interface PageText {
  page: number
  text: string
  start: number
}

/** A number with more than six digits is not a page number. The database could not store it. */
const MARKER = /^\[Page (\d{1,6})\][ \t]*(?:\r?\n|$)/gm

/**
 * Joins the texts of pages (index 0 = page 1) to a stored text with `[Page N]` markers. A line of a page that equals a marker,
 * as in transcripts, gets a space before it, so that it does not begin another page.
 */
export function joinPages(pages: readonly string[]): string {
  const textOf = (page: string) => page.trim().replaceAll(/^(?=\[Page \d{1,6}\][ \t]*$)/gm, ' ')
  return pages.map((page, index) => `[Page ${index + 1}]\n${textOf(page)}`).join('\n\n')
}

/**
 * Splits a stored text at its `[Page N]` markers. A text without markers is page 1. Text before the first marker becomes an
 * additional page 1, unless it is blank.
 */
export function splitPages(stored: string): PageText[] {
  const marks = [...stored.matchAll(MARKER)]
  if (marks.length === 0) return stored.trim() ? [trimEnd(1, stored, 0)] : []
  const pages: PageText[] = []
  const before = stored.slice(0, marks[0]!.index)
  if (before.trim()) pages.push(trimEnd(1, before, 0))
  marks.forEach((mark, index) => {
    const start = mark.index + mark[0].length
    const end = marks[index + 1]?.index ?? stored.length
    pages.push(trimEnd(Number(mark[1]), stored.slice(start, end), start))
  })
  return pages
}

/** Returns the text of each page of a stored text (index 0 = page 1). The text of a page without a marker is empty. */
export function pageTexts({ text, pageCount }: { text: string; pageCount: number }): string[] {
  const found = new Map(splitPages(text).map((page) => [page.page, page.text]))
  return Array.from({ length: pageCount }, (_, index) => found.get(index + 1) ?? '')
}

/** Matches a page marker, a letter or a digit. */
const MARKER_OR_WORD = /^\[Page \d{1,6}\][ \t]*(?:\r?\n|$)|[\p{L}\p{N}]/gmu

/** Returns whether the stored text has a letter or digit outside its page markers. Stops at the first one. */
export function hasWords(stored: string | null | undefined): boolean {
  for (const [found] of (stored ?? '').matchAll(MARKER_OR_WORD)) if (!found.startsWith('[')) return true
  return false
}

function trimEnd(page: number, text: string, start: number): PageText {
  return { page, text: text.trimEnd(), start }
}
