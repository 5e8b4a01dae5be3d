import { type ComparedRow as Row, type ComparedValue, type DiffPart, joinParts } from '#shared/contract/runs.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { Quote } from './quotes.tsx'
import styles from './runs.module.css'

type Side = 'one' | 'other'
const LETTER: Record<Side, string> = { one: 'A', other: 'B' }

/**
 * A row of the comparison: the value of one field in both runs (recorded analyses or answers), with the differing words
 * underlined.
 */
export function ComparedRow({
  row: { label, of, one, other, why_missing },
  paperOf,
  onShow,
}: {
  row: Row
  paperOf: (documentId: string) => string | null
  onShow: (documentId: string, passage: FoundPassage) => void
}) {
  const side = (name: Side, value: ComparedValue | null) => (
    <div className="max-md:grid max-md:grid-cols-[1.25rem_minmax(0,1fr)] max-md:gap-x-2.5">
      <span className={styles.runLetter}>{LETTER[name]}</span>
      {value ? (
        <div>
          <p className={styles.valueText}>
            <Marked parts={value.text} side={name} />
          </p>
          {value.evidence.map((place, at) => (
            <Quote
              key={`${at} ${place.page} ${place.start}`}
              place={place}
              paper={paperOf(place.document_id)}
              text={joinParts(place.quote)}
              onShow={onShow}
            >
              “<Marked parts={place.quote} side={name} />”
            </Quote>
          ))}
        </div>
      ) : (
        <p className="text-meta leading-6.25 text-muted-foreground">
          Not in run {LETTER[name]}
          {why_missing === null ? null : `: the ${why_missing} was not read`}
        </p>
      )}
    </div>
  )
  return (
    <section className={styles.pairRow} aria-label={[label, of].filter(Boolean).join(', ')}>
      <h3 className={styles.label}>
        {label}
        {of ? <span>{of}</span> : null}
      </h3>
      {side('one', one)}
      {side('other', other)}
    </section>
  )
}

/**
 * A text of one of the two compared runs (recorded analyses or answers). Words that the other run does not contain are
 * underlined: dotted in run A, solid in run B.
 */
export function Marked({ parts, side }: { parts: readonly DiffPart[]; side: Side }) {
  let place = 0
  return parts.map(({ text, differs }) => {
    const key = (place += text.length)
    if (!differs) return text
    return side === 'one' ? (
      <del key={key} className={styles.onlyOne}>
        {text}
      </del>
    ) : (
      <ins key={key} className={styles.onlyOther}>
        {text}
      </ins>
    )
  })
}
