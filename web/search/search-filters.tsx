import { useQuery } from '@tanstack/react-query'
import type { PassageSearch } from '#shared/contract/search-address.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { MenuNote, OptionsLegend } from '#web/ui/dropdown-menu.tsx'
import {
  EvidenceOptions,
  FilterOption,
  FilterPanel,
  type SelectedFilter,
  SelectedFilters,
  toggled,
} from '#web/ui/filters.tsx'
import { searchFiltersQuery } from './queries.ts'
import { filterCount, filterLabel, NO_FILTERS } from './search-params.ts'
import styles from './search.module.css'
import { YearInput } from './year-input.tsx'

interface Props {
  projectId: string
  search: PassageSearch
  /** Changes the filters. Every change resets the page number to 1. */
  onChange: (patch: Partial<PassageSearch>) => void
}

/** The button 'Filter' of the search with the panel that it opens. */
export const FilterButton = (props: Props) => (
  <FilterPanel count={filterCount(props.search)} align="end" wide>
    <div className="grid max-h-[min(36rem,70vh)] gap-3 overflow-y-auto">
      <SearchFilters {...props} />
    </div>
  </FilterPanel>
)

/** The filters of the search in a column beside the list, on screens of at least 1024 px. */
export const FilterColumn = (props: Props) => (
  <aside aria-label="Filters" className={styles.facets}>
    <SearchFilters {...props} />
  </aside>
)

/** The filters: years, evidence level, tags, type, and papers with a file. */
function SearchFilters({ projectId, search, onChange }: Props) {
  // The list of results comes first.
  const options = searchFiltersQuery({ project_id: projectId, scope: search.scope ?? 'project' })
  const filters = useQuery({ ...options, enabled: useFirstAnswers() })
  return (
    <>
      <fieldset>
        <OptionsLegend>Year</OptionsLegend>
        <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-baseline gap-2">
          <YearInput label="Year from" year={search.from} onChange={(from) => onChange({ from })} />
          <span>to</span>
          <YearInput label="Year to" year={search.to} onChange={(to) => onChange({ to })} />
        </div>
      </fieldset>
      <fieldset>
        <OptionsLegend>Evidence level</OptionsLegend>
        <EvidenceOptions
          levels={filters.data?.evidence_levels}
          chosen={search.evidence}
          onChange={(evidence) => onChange({ evidence })}
        />
      </fieldset>
      <fieldset className="max-h-56 overflow-y-auto">
        <OptionsLegend>Tags</OptionsLegend>
        {filters.data?.tags.map(({ name, document_count }) => (
          <FilterOption
            key={name}
            count={document_count}
            checked={search.tag?.includes(name) ?? false}
            onChange={() => onChange({ tag: toggled(search.tag, name) })}
          >
            {name}
          </FilterOption>
        ))}
        {filters.data?.tags.length === 0 ? <MenuNote>No tags found.</MenuNote> : null}
        {filters.isError ? <MenuNote>The filters could not be loaded.</MenuNote> : null}
      </fieldset>
      <fieldset>
        <OptionsLegend>Type</OptionsLegend>
        {filters.data?.types.map(({ type, document_count }) => (
          <FilterOption
            key={type}
            count={document_count}
            checked={search.type?.includes(type) ?? false}
            onChange={() => onChange({ type: toggled(search.type, type) })}
          >
            {filterLabel(type)}
          </FilterOption>
        ))}
        {filters.data?.types.length === 0 ? <MenuNote>No types found.</MenuNote> : null}
      </fieldset>
      <FilterOption
        checked={search.file === 'true'}
        onChange={() => onChange({ file: search.file === 'true' ? undefined : 'true' })}
      >
        Has a file
      </FilterOption>
    </>
  )
}

/** The chosen filters as removable chips. */
export function ChosenFilters({ search, onChange }: Omit<Props, 'projectId'>) {
  if (filterCount(search) === 0) return null
  const { tag = [], evidence = [], type = [], from, to, file } = search
  const years = from === undefined ? `to ${to}` : to === undefined ? `from ${from}` : `${from} to ${to}`
  const filters: SelectedFilter[] = [
    ...tag.map((name) => ({
      key: `tag ${name}`,
      kind: 'Tag',
      name,
      onRemove: () => onChange({ tag: toggled(tag, name) }),
    })),
    ...evidence.map((level) => ({
      key: `evidence ${level}`,
      name: level,
      onRemove: () => onChange({ evidence: toggled(evidence, level) }),
    })),
    ...type.map((value) => ({
      key: `type ${value}`,
      kind: 'Type',
      name: filterLabel(value),
      onRemove: () => onChange({ type: toggled(type, value) }),
    })),
  ]
  if (from !== undefined || to !== undefined)
    filters.unshift({
      key: 'years',
      kind: 'Year',
      name: 'years',
      children: years,
      onRemove: () => onChange({ from: undefined, to: undefined }),
    })
  if (file)
    filters.push({
      key: 'file',
      name: 'the filter by file',
      children: file === 'true' ? 'Has a file' : 'Without a file',
      onRemove: () => onChange({ file: undefined }),
    })
  return <SelectedFilters className="mt-3" filters={filters} onClear={() => onChange(NO_FILTERS)} />
}
