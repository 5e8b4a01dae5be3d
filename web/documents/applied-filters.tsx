import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import type { DocumentFilters } from '#shared/contract/document-list.ts'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import { SelectedFilters, toggled } from '#web/ui/filters.tsx'
import styles from './documents.module.css'
import { STATUS_CHOICES, chosenTags } from './search.ts'
import type { DocumentsSearch } from './search.ts'

/** The selected filters as removable chips. Renders nothing without filters. */
export function AppliedFilters({
  search,
  filters,
  onChange,
}: {
  search: DocumentsSearch
  filters: DocumentFilters | undefined
  onChange: (patch: Partial<DocumentsSearch>) => void
}) {
  const { status = [], evidence = [] } = search
  const tag = chosenTags(search, filters)
  if (tag.length + status.length + evidence.length === 0) return <div className="h-5" />
  return (
    <SelectedFilters
      className={styles.appliedFilters}
      filters={[
        ...tag.map((name) => ({
          key: `tag ${name}`,
          kind: 'Tag',
          name,
          onRemove: () => onChange({ tag: toggled(tag, name) }),
        })),
        ...status.map((value) => ({
          key: `status ${value}`,
          kind: 'Status',
          name: STATUS_CHOICES.find((choice) => choice.value === value)?.label ?? value,
          onRemove: () => onChange({ status: toggled(status, value) }),
        })),
        ...evidence.map((level) => ({
          key: `evidence ${level}`,
          name: level,
          children: <EvidenceChip level={level} among={evidence} />,
          onRemove: () => onChange({ evidence: toggled(evidence, level) }),
        })),
      ]}
      onClear={() => onChange({ tag: undefined, status: undefined, evidence: undefined })}
    />
  )
}

/**
 * The label of an evidence level in a filter chip: 'Level' and its number, or its whole text if several levels have this
 * number.
 */
function EvidenceChip({ level, among }: { level: string; among: readonly string[] }) {
  const parsed = parseEvidenceLevel(level)
  if (!parsed) return <>{level}</>
  const isAlone = among.filter((one) => parseEvidenceLevel(one)?.level === parsed.level).length === 1
  return (
    <>
      <EvidencePyramid level={parsed.level} /> {isAlone ? `Level ${parsed.label}` : level}
    </>
  )
}
