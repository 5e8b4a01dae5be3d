import { ChevronDown, Search, Tags } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { DocumentFilters } from '#shared/contract/document-list.ts'
import { useRestedWords } from '#web/lib/use-rested-words.ts'
import { Button } from '#web/ui/button.tsx'
import { MenuNote, OptionsLegend } from '#web/ui/dropdown-menu.tsx'
import { Input } from '#web/ui/field.tsx'
import { EvidenceOptions, FilterOption, FilterPanel, toggled } from '#web/ui/filters.tsx'
import { Popover } from '#web/ui/popover.tsx'
import styles from './documents.module.css'
import { STATUS_CHOICES, chosenTags, filterCount } from './search.ts'
import type { DocumentsSearch } from './search.ts'

interface Props {
  search: DocumentsSearch
  filters: DocumentFilters | undefined
  /** Retries a failed request for the options; undefined without a failure. */
  onRetry: (() => void) | undefined
  /** Updates the search parameters of the URL. Every change resets the page number to 1. */
  onChange: (patch: Partial<DocumentsSearch>) => void
}

/** Search field, tag filter, and the filter menu for statuses and evidence levels. */
export function FilterBar({ search, filters, onRetry, onChange }: Props) {
  return (
    <div className={styles.filterBar} role="search">
      <SearchBox value={search.search ?? ''} onChange={(words) => onChange({ search: words || undefined })} />
      <TagFilter search={search} filters={filters} onRetry={onRetry} onChange={onChange} />
      <FilterPanel count={filterCount(search)}>
        <fieldset>
          <OptionsLegend>Status</OptionsLegend>
          {STATUS_CHOICES.map(({ value, label }) => (
            <FilterOption
              key={value}
              checked={search.status?.includes(value) ?? false}
              onChange={() => onChange({ status: toggled(search.status, value) })}
            >
              {label}
            </FilterOption>
          ))}
        </fieldset>
        <div className="my-1.25 h-px bg-border" />
        <fieldset className="max-h-60 overflow-y-auto">
          <OptionsLegend>Evidence Level</OptionsLegend>
          <EvidenceOptions
            levels={filters?.evidence_levels}
            chosen={search.evidence}
            onChange={(evidence) => onChange({ evidence })}
          />
          {filters ? null : <NoFilters onRetry={onRetry} />}
          {filters?.evidence_levels.length === 0 ? <MenuNote>No document has been analyzed yet.</MenuNote> : null}
        </fieldset>
      </FilterPanel>
    </div>
  )
}

function TagFilter({ search, filters, onRetry, onChange }: Props) {
  const [words, setWords] = useState('')
  const chosen = chosenTags(search, filters)
  const shown = filters?.tags.filter((tag) => tag.name.toLowerCase().includes(words.trim().toLowerCase())) ?? []
  return (
    <Popover
      label="Tags"
      onOpenChange={() => setWords('')}
      trigger={
        <Button>
          <Tags aria-hidden />
          {chosen.length > 0 ? `${chosen.length} selected` : 'Tags'}
          <ChevronDown data-trailing aria-hidden />
        </Button>
      }
    >
      <Input
        placeholder="Search tags..."
        aria-label="Search tags"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="mt-1.5 max-h-72 overflow-y-auto" role="group" aria-label="Tags">
        {shown.map(({ name, document_count }) => (
          <FilterOption
            key={name}
            checked={chosen.includes(name)}
            count={document_count}
            onChange={() => onChange({ tag: toggled(chosen, name) })}
          >
            {name}
          </FilterOption>
        ))}
        {filters ? null : <NoFilters onRetry={onRetry} />}
        {filters && shown.length === 0 ? <MenuNote>No tags found.</MenuNote> : null}
      </div>
    </Popover>
  )
}

/** Shown while the options load or after a failure. */
const NoFilters = ({ onRetry }: Pick<Props, 'onRetry'>) =>
  onRetry ? (
    <MenuNote className="grid justify-items-start gap-2">
      The filters could not be loaded.
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
    </MenuNote>
  ) : (
    <MenuNote>Loading...</MenuNote>
  )

/** A debounced search field. `/` focuses it. */
function SearchBox({ value, onChange }: { value: string; onChange: (words: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [words, setWords] = useRestedWords(value, onChange)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const inField =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable], [role=dialog]')
      if (event.key !== '/' || inField || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <Input
      ref={input}
      type="text"
      inputMode="search"
      placeholder="Search documents..."
      aria-label="Search documents"
      aria-keyshortcuts="/"
      icon={<Search aria-hidden />}
      end={<kbd className="max-md:hidden">/</kbd>}
      value={words}
      onChange={({ target }) => setWords(target.value)}
    />
  )
}
