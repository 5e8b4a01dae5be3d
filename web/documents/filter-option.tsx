import { useId } from 'react'
import type { ReactNode } from 'react'
import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { OptionRow } from '#web/ui/dropdown-menu.tsx'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import styles from './documents.module.css'

/** A checkbox of a filter panel, with its number of documents. */
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
    <OptionRow className={styles.filterOption} count={count}>
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id}>{children}</label>
    </OptionRow>
  )
}

/** A level of evidence in a list of filters. */
export function EvidenceOption({
  level,
  count,
  checked,
  onChange,
}: {
  level: string
  count: number
  checked: boolean
  onChange: () => void
}) {
  return (
    <FilterOption checked={checked} onChange={onChange} count={count}>
      <EvidenceWords text={level} />
    </FilterOption>
  )
}

/** An evidence level with its pyramid and study design. Other values ('Unknown', free text) are plain text. */
export function EvidenceWords({ text }: { text: string }) {
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
