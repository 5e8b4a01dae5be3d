import { searchWords } from '#server/external/index.ts'

/** One search: a query in OpenAlex syntax, the number of years to look back (null for all), and the maximum number of works. */
export interface PlannedSearch {
  search: string
  years: number | null
  limit: number
}

const PHRASES_OF_ALL = 4
const KEYWORDS = 3
/**
 * Number of years of the search for recent papers. It is a separate search, because recent papers have few citations and rank
 * low by relevance.
 */
const RECENT_YEARS = 3

/**
 * Writes the searches, from narrow to wide: the first four phrases together; the first phrase with any of the other phrases
 * (recent years, then all years); the first phrase with common keywords of the project. Searches that a model wrote come before
 * these searches; the first of them is also made for recent years. Returns an empty list when there is nothing to search for.
 */
export function writeSearches(
  plan: { phrases: readonly string[]; searches: readonly string[] },
  keywords: readonly string[],
): PlannedSearch[] {
  const phrases = plan.phrases.map(searchWords).filter(Boolean)
  const written = plan.searches.map(searchWords).filter(Boolean)
  const [first, ...others] = phrases
  const planned: PlannedSearch[] = written.map((search) => ({ search, years: null, limit: 50 }))
  if (written[0]) planned.push({ search: written[0], years: RECENT_YEARS, limit: 50 })
  if (first) {
    const all = phrases.slice(0, PHRASES_OF_ALL).map(group).join(' AND ')
    const pairs = others.length > 1 ? `${group(first)} AND ${anyOf(others)}` : group(first)
    planned.push(
      { search: all, years: null, limit: 100 },
      { search: pairs, years: RECENT_YEARS, limit: 50 },
      { search: pairs, years: null, limit: 100 },
    )
    const new_ = keywords.map(searchWords).filter((word) => word && !phrases.includes(word))
    if (new_.length > 0)
      planned.push({ search: `${group(first)} AND ${anyOf(new_.slice(0, KEYWORDS))}`, years: null, limit: 50 })
  }
  const seen = new Set<string>()
  return planned.filter(({ search, years }) => {
    const key = `${years} ${search}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Returns the fallback search, for works that contain any of the phrases. Null with fewer than two phrases. */
export function widestSearch(phrases: readonly string[]): PlannedSearch | null {
  const words = phrases.map(searchWords).filter(Boolean)
  return words.length > 1 ? { search: anyOf(words), years: null, limit: 100 } : null
}

/** Puts brackets around several words, all of which must occur in a work. Operators are written only between such groups. */
const group = (words: string) => (words.includes(' ') ? `(${words})` : words)
const anyOf = (groups: readonly string[]) =>
  groups.length > 1 ? `(${groups.map(group).join(' OR ')})` : group(groups[0]!)
