import { ListFilter } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { cn } from './class-names.ts'
import { OptionRow } from './dropdown-menu.tsx'
import { EvidencePyramid } from './evidence-pyramid.tsx'
import styles from './filters.module.css'
import { Chip, Counter } from './marks.tsx'
import { Popover } from './popover.tsx'

/**
 * The button 'Filter' with the number of set filters, and the panel that it opens. Use `wide` for a panel with input fields.
 */
export const FilterPanel = ({
  count,
  children,
  ...rest
}: {
  count: number
  align?: 'start' | 'end'
  wide?: boolean
  children: ReactNode
}) => (
  <Popover
    {...rest}
    label="Filter"
    trigger={
      <Button>
        <ListFilter aria-hidden />
        Filter
        {count > 0 ? <Counter count={count} /> : null}
      </Button>
    }
  >
    {children}
  </Popover>
)

/** A checkbox of a filter panel. `count` is the number of documents that have the option. */
export function FilterOption({
  checked,
  onChange,
  count,
  children,
}: {
  checked: boolean
  onChange: () => void
  count?: number
  children: ReactNode
}) {
  const id = useId()
  return (
    <OptionRow className={styles.option} count={count}>
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id}>{children}</label>
    </OptionRow>
  )
}

/**
 * The label of an evidence level with its pyramid icon and study design. A value that is not a level ('Unknown', free text) is
 * shown as text.
 */
function EvidenceLabel({ text }: { text: string }) {
  const parsed = parseEvidenceLevel(text)
  if (!parsed) return <>{text}</>
  return (
    <span className="inline-flex items-center gap-1.5 align-middle">
      <EvidencePyramid level={parsed.level} />
      <span>
        Level {parsed.label}
        {parsed.design ? <span className="text-muted-foreground"> {parsed.design}</span> : null}
      </span>
    </span>
  )
}

/** The options of a filter for evidence levels, each with the number of its documents. */
export const EvidenceOptions = ({
  levels,
  chosen,
  onChange,
}: {
  levels: readonly { level: string; document_count: number }[] | undefined
  chosen: readonly string[] | undefined
  onChange: (chosen: string[] | undefined) => void
}) =>
  levels?.map(({ level, document_count }) => (
    <FilterOption
      key={level}
      count={document_count}
      checked={chosen?.includes(level) ?? false}
      onChange={() => onChange(toggled(chosen, level))}
    >
      <EvidenceLabel text={level} />
    </FilterOption>
  ))

/**
 * A filter that is set. `children` is the label of its chip; the default is `name`. The remove button has the accessible name
 * 'Remove' and `name`.
 */
export interface SelectedFilter {
  key: string
  kind?: string
  name: string
  children?: ReactNode
  onRemove: () => void
}

/** Shows the filters that are set as removable chips, and a button that removes all of them. */
export const SelectedFilters = ({
  filters,
  onClear,
  className,
}: {
  filters: readonly SelectedFilter[]
  onClear: () => void
  className?: string | undefined
}) => (
  <div className={cn(styles.selected, className)} role="group" aria-label="Selected filters">
    {filters.map(({ key, kind, name, children, onRemove }) => (
      <Chip key={key} {...(kind === undefined ? {} : { kind })} removeLabel={`Remove ${name}`} onRemove={onRemove}>
        {children ?? name}
      </Chip>
    ))}
    <Button variant="ghost" size="sm" onClick={onClear}>
      Clear filters
    </Button>
  </div>
)

/** Returns the list with `value` added, or removed if the list contains it. Returns undefined for an empty list. */
export function toggled<Value extends string>(values: readonly Value[] | undefined, value: Value): Value[] | undefined {
  const next = values?.includes(value) ? values.filter((one) => one !== value) : [...(values ?? []), value]
  return next.length > 0 ? next : undefined
}
