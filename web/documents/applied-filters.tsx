import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import type { DocumentFilters } from '#shared/contract/document-list.ts'
import { Button } from '#web/ui/button.tsx'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import { Chip } from '#web/ui/marks.tsx'
import styles from './documents.module.css'
import { STATUS_CHOICES, chosenTags, toggled } from './search.ts'
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
  const levels = evidence.map((text) => ({ text, parsed: parseEvidenceLevel(text) }))
  const alone = (level: number) => levels.filter(({ parsed }) => parsed?.level === level).length === 1
  return (
    <div className={styles.appliedFilters} role="group" aria-label="Selected filters">
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
      {status.map((value) => {
        const label = STATUS_CHOICES.find((choice) => choice.value === value)?.label ?? value
        return (
          <Chip
            key={value}
            kind="Status"
            removeLabel={`Remove ${label}`}
            onRemove={() => onChange({ status: toggled(status, value) })}
          >
            {label}
          </Chip>
        )
      })}
      {levels.map(({ text, parsed }) => (
        <Chip
          key={text}
          removeLabel={`Remove ${text}`}
          onRemove={() => onChange({ evidence: toggled(evidence, text) })}
        >
          {parsed ? (
            <>
              <EvidencePyramid level={parsed.level} /> {alone(parsed.level) ? `Level ${parsed.label}` : text}
            </>
          ) : (
            text
          )}
        </Chip>
      ))}
      <Button
        variant="ghost"
        size="sm"
        onClick={() => onChange({ tag: undefined, status: undefined, evidence: undefined })}
      >
        Clear filters
      </Button>
    </div>
  )
}
