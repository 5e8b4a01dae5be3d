import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import type { PassageSearch } from '#shared/contract/search-address.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { MenuNote, OptionRow, OptionsLegend } from '#web/ui/dropdown-menu.tsx'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import { Input } from '#web/ui/field.tsx'
import { Chip, Counter } from '#web/ui/marks.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { searchFiltersQuery } from './queries.ts'
import { filterCount, NO_FILTERS, toggled, TYPE_CHOICES } from './search-params.ts'
import styles from './search.module.css'

interface Props {
  projectId: string
  search: PassageSearch
  /** Every change resets to page 1. */
  onChange: (patch: Partial<PassageSearch>) => void
}

/** The filters: years, evidence level, tags, type, and papers with a file. */
export function SearchFilters({ projectId, search, onChange }: Props) {
  const filters = useQuery(searchFiltersQuery(projectId))
  const chosen = filterCount(search)
  const years = (value: string) => (/^\d{1,4}$/.test(value) ? Number(value) : undefined)
  return (
    <Popover
      label="Filter"
      align="end"
      wide
      trigger={
        <Button>
          <ListFilter aria-hidden />
          Filter
          {chosen > 0 ? <Counter count={chosen} /> : null}
        </Button>
      }
    >
      <div className={styles.filters}>
        <fieldset>
          <OptionsLegend>Year</OptionsLegend>
          <div className={styles.years}>
            <Input
              aria-label="Year from"
              inputMode="numeric"
              defaultValue={search.from}
              onBlur={({ target }) => onChange({ from: years(target.value) })}
            />
            <span>to</span>
            <Input
              aria-label="Year to"
              inputMode="numeric"
              defaultValue={search.to}
              onBlur={({ target }) => onChange({ to: years(target.value) })}
            />
          </div>
        </fieldset>
        <fieldset>
          <OptionsLegend>Evidence level</OptionsLegend>
          {filters.data?.evidence_levels.map(({ level, document_count }) => (
            <Option
              key={level}
              count={document_count}
              isChosen={search.evidence?.includes(level) ?? false}
              onToggle={() => onChange({ evidence: toggled(search.evidence, level) })}
            >
              <Level text={level} />
            </Option>
          ))}
        </fieldset>
        <fieldset className={styles.tagOptions}>
          <OptionsLegend>Tags</OptionsLegend>
          {filters.data?.tags.map(({ name, document_count }) => (
            <Option
              key={name}
              count={document_count}
              isChosen={search.tag?.includes(name) ?? false}
              onToggle={() => onChange({ tag: toggled(search.tag, name) })}
            >
              {name}
            </Option>
          ))}
          {filters.data?.tags.length === 0 ? <MenuNote>No tags found.</MenuNote> : null}
          {filters.isError ? <MenuNote>The filters could not be loaded.</MenuNote> : null}
        </fieldset>
        <fieldset>
          <OptionsLegend>Type</OptionsLegend>
          {TYPE_CHOICES.map(({ value, label }) => (
            <Option
              key={value}
              isChosen={search.type?.includes(value) ?? false}
              onToggle={() => onChange({ type: toggled(search.type, value) })}
            >
              {label}
            </Option>
          ))}
        </fieldset>
        <Option
          isChosen={search.file === 'true'}
          onToggle={() => onChange({ file: search.file === 'true' ? undefined : 'true' })}
        >
          Has a file
        </Option>
      </div>
    </Popover>
  )
}

function Option({
  isChosen,
  onToggle,
  count,
  children,
}: {
  isChosen: boolean
  onToggle: () => void
  count?: number
  children: ReactNode
}) {
  const id = useId()
  return (
    <OptionRow className={undefined} count={count}>
      <Checkbox id={id} checked={isChosen} onChange={onToggle} />
      <label htmlFor={id}>{children}</label>
    </OptionRow>
  )
}

function Level({ text }: { text: string }) {
  const parsed = parseEvidenceLevel(text)
  if (!parsed) return <>{text}</>
  return (
    <>
      <EvidencePyramid level={parsed.level} /> Level {parsed.label}
    </>
  )
}

/** The chosen filters as removable chips. */
export function ChosenFilters({ search, onChange }: Omit<Props, 'projectId'>) {
  if (filterCount(search) === 0) return null
  const { tag = [], evidence = [], type = [], from, to, file } = search
  const years = from === undefined ? `to ${to}` : to === undefined ? `from ${from}` : `${from} to ${to}`
  const labelOf = (value: string) => TYPE_CHOICES.find((one) => one.value === value)?.label ?? value
  return (
    <div className={styles.chosen} role="group" aria-label="Selected filters">
      {from !== undefined || to !== undefined ? (
        <Chip kind="Year" removeLabel="Remove years" onRemove={() => onChange({ from: undefined, to: undefined })}>
          {years}
        </Chip>
      ) : null}
      {tag.map((name) => (
        <Chip
          key={name}
          kind="Tag"
          removeLabel={`Remove ${name}`}
          onRemove={() => onChange({ tag: toggled(tag, name) })}
        >
          {name}
        </Chip>
      ))}
      {evidence.map((level) => (
        <Chip
          key={level}
          removeLabel={`Remove ${level}`}
          onRemove={() => onChange({ evidence: toggled(evidence, level) })}
        >
          {level}
        </Chip>
      ))}
      {type.map((value) => (
        <Chip
          key={value}
          kind="Type"
          removeLabel={`Remove ${labelOf(value)}`}
          onRemove={() => onChange({ type: toggled(type, value) })}
        >
          {labelOf(value)}
        </Chip>
      ))}
      {file ? (
        <Chip removeLabel="Remove the filter by file" onRemove={() => onChange({ file: undefined })}>
          {file === 'true' ? 'Has a file' : 'Without a file'}
        </Chip>
      ) : null}
      <Button variant="ghost" size="sm" onClick={() => onChange(NO_FILTERS)}>
        Clear filters
      </Button>
    </div>
  )
}
