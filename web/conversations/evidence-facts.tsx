import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import type { AnswerSource } from '#shared/contract/conversations.ts'
import { cn } from '#web/ui/class-names.ts'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import { Badge } from '#web/ui/marks.tsx'
import styles from './answer.module.css'

/**
 * The facts of a cited paper in one line: authors, year, section of the quote, evidence level, study design, and whether it was
 * retracted.
 */
export function EvidenceFacts({
  source: { authors, year, evidence_level, retracted },
  section = null,
  of = 'all',
  className,
}: {
  source: AnswerSource
  section?: string | null
  /** The shown facts. `level`: only evidence level and study design. `short`: all except the study design. */
  of?: 'all' | 'level' | 'short'
  className?: string | undefined
}) {
  const level = parseEvidenceLevel(evidence_level)
  const facts = of === 'level' ? [] : [authors, year, section].filter(Boolean)
  if (facts.length === 0 && !level && !(retracted && of !== 'level')) return null
  return (
    <p className={cn('mt-0.5 text-meta text-muted-foreground tabular-nums', styles.facts, className)}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {level ? (
        <span className={styles.level}>
          <EvidencePyramid level={level.level} /> Level {level.label}
        </span>
      ) : null}
      {level?.design && of !== 'short' ? <span>{level.design}</span> : null}
      {retracted && of !== 'level' ? (
        <span>
          <Badge tone="alarm">retracted</Badge>
        </span>
      ) : null}
    </p>
  )
}
