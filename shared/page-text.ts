/**
 * The text of a paper as it is stored: one `[Page N]` marker on its own line at the start of each page (empty pages
 * included), then the page's text. Offsets elsewhere in the product ("page offset") count UTF-16 units from the first
 * character of the page's text, that is, just after the marker's line break.
 */

/** One page of a stored text. `start` is the offset of the page's text in the whole stored text. */
export interface PageText {
  page: number
  text: string
  start: number
}

const MARKER = /^\[Page (\d+)\][ \t]*(?:\r?\n|$)/gm

/** Joins page texts (index 0 = page 1) into the stored form with `[Page N]` markers. */
export function joinPages(pages: readonly string[]): string {
  return pages.map((text, index) => `[Page ${index + 1}]\n${text.trim()}`).join('\n\n')
}

/**
 * Splits a stored text at its `[Page N]` markers. A text without markers is one page 1. Text before the first marker
 * belongs to the first page's predecessor and is kept as a page of its own only when it holds words.
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

/** A page marker, or a letter or digit. */
const MARKER_OR_WORD = /^\[Page \d+\][ \t]*(?:\r?\n|$)|[\p{L}\p{N}]/gmu

/** True when the stored text holds at least one letter or digit besides its page markers; reads up to the first. */
export function hasWords(stored: string | null | undefined): boolean {
  for (const [found] of (stored ?? '').matchAll(MARKER_OR_WORD)) if (!found.startsWith('[')) return true
  return false
}

function trimEnd(page: number, text: string, start: number): PageText {
  return { page, text: text.trimEnd(), start }
}
