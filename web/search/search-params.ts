import type { SearchFilter } from '#shared/contract/library-search.ts'
import type { PassageSearch } from '#shared/contract/search-address.ts'
import { typeLabel } from '#web/lib/reference-types.ts'

/** Labels of the filter by type that are shorter than those of a reference. */
const SHORT_LABELS: Partial<Record<string, string>> = {
  'article-journal': 'Article',
  article: 'Preprint',
  chapter: 'Chapter',
}

/** Returns the label of a CSL type in the filters of a search. */
export const filterLabel = (type: string): string => SHORT_LABELS[type] ?? typeLabel(type)

/**
 * Returns the name of a search filter as it is used in a sentence ('tag filter'), and `patch`, the change of the search
 * parameters that removes the filter. Returns null for 'query', the words of the search, because they are not a filter.
 */
export function withoutFilter(filter: SearchFilter): { name: string; patch: Partial<PassageSearch> } | null {
  const dropped: Record<Exclude<SearchFilter, 'query'>, { name: string; patch: Partial<PassageSearch> }> = {
    tag: { name: 'tag filter', patch: { tag: undefined } },
    year: { name: 'year filter', patch: { from: undefined, to: undefined } },
    evidence_level: { name: 'evidence level filter', patch: { evidence: undefined } },
    type: { name: 'type filter', patch: { type: undefined } },
    has_file: { name: "filter 'Has a file'", patch: { file: undefined } },
  }
  return filter === 'query' ? null : dropped[filter]
}

/** The change of the search parameters that removes all filters. */
export const NO_FILTERS = {
  tag: undefined,
  from: undefined,
  to: undefined,
  evidence: undefined,
  type: undefined,
  file: undefined,
} satisfies Partial<PassageSearch>

/** Returns the number of filters that are set. A range of years counts as one. */
export const filterCount = ({ tag = [], from, to, evidence = [], type = [], file }: PassageSearch): number =>
  tag.length +
  evidence.length +
  type.length +
  (from === undefined && to === undefined ? 0 : 1) +
  (file === undefined ? 0 : 1)
