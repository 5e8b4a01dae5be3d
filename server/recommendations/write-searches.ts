import { searchWords } from '#server/external/index.ts'

/** One search: its words in the catalogue's own syntax, the years it looks back, and how many works it may bring. */
export interface PlannedSearch {
  search: string
  years: number | null
  limit: number
}

const PHRASES_OF_ALL = 4
const KEYWORDS = 3
/** New papers are cited by few, so that a list by relevance shows them late: they are looked for on their own. */
const RECENT_YEARS = 3

/**
 * From narrow to wide: all phrases together, the same among the papers of the last years, the first phrase with one of
 * the others, and with what the project's papers are about. A model's searches stand in front. Nothing to search for
 * gives no search.
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

/** When the narrow searches brought too little: whatever uses any of the phrases. */
export function widestSearch(phrases: readonly string[]): PlannedSearch | null {
  const words = phrases.map(searchWords).filter(Boolean)
  return words.length > 1 ? { search: anyOf(words), years: null, limit: 100 } : null
}

/** Words of a group are all wanted; operators stand between groups only. */
const group = (words: string) => (words.includes(' ') ? `(${words})` : words)
const anyOf = (groups: readonly string[]) =>
  groups.length > 1 ? `(${groups.map(group).join(' OR ')})` : group(groups[0]!)
