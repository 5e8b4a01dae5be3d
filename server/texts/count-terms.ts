import { searchTerms } from '#server/language/search-terms.ts'
import { sectionsOf } from '#server/language/section-headings.ts'

/** The terms of the chunks of a document, in the form in which the database stores them. */
export interface CountedTerms {
  /** The rows of the inverted index in parts. Each part is the JSON of an array of TermRow. */
  rows: string[]
  /** The number of chunks, and the number of all their terms with repetitions. */
  chunks: number
  terms: number
  /** The heading of the section to which most of a chunk belongs, for each chunk in order; null before the first heading. */
  sections: (string | null)[]
}

/**
 * The chunks that contain a term. The arrays have one entry for each of these chunks: its position, the number of occurrences
 * of the term in it, and the number of all its terms.
 */
interface TermRow {
  term: string
  positions: number[]
  counts: number[]
  lengths: number[]
}

/** Maximum length of a term. Longer terms are addresses and errors of the extraction, and are omitted. */
const LONGEST_TERM = 64
/**
 * The largest number that the index can store (smallint). Larger numbers are replaced by it; a chunk of about a thousand
 * characters has none.
 */
const MOST = 32_767
const ROWS_A_PART = 2_000
const LONGEST_HEADING = 120

/**
 * Counts the terms of the chunks of a document. The result has one row for each term, so that a term is stored once for each
 * document.
 */
export function countTerms(chunks: readonly { position: number; content: string }[]): CountedTerms {
  const rows = new Map<string, TermRow>()
  let terms = 0
  for (const { position, content } of chunks) {
    const found = searchTerms(content).filter((term) => term.length <= LONGEST_TERM)
    terms += found.length
    const counts = new Map<string, number>()
    for (const term of found) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      const row = rows.get(term) ?? { term, positions: [], counts: [], lengths: [] }
      rows.set(term, row)
      row.positions.push(position)
      row.counts.push(Math.min(MOST, count))
      row.lengths.push(Math.min(MOST, found.length))
    }
  }
  const all = [...rows.values()]
  const parts: string[] = []
  for (let at = 0; at < all.length; at += ROWS_A_PART) parts.push(JSON.stringify(all.slice(at, at + ROWS_A_PART)))
  return { rows: parts, chunks: chunks.length, terms, sections: mainSections(chunks.map(({ content }) => content)) }
}

const mainSections = (contents: readonly string[]): (string | null)[] =>
  sectionsOf(contents).map((sections) => {
    const longest = sections.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a), sections[0]!)
    return longest?.heading ? longest.heading.slice(0, LONGEST_HEADING) : null
  })
