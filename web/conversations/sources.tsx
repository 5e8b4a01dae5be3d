import type { ConversationMessage, StoredEvidence } from '#shared/contract/conversations.ts'
import { readMarkup } from '#web/citations/index.ts'
import { counted } from '#web/lib/dates.ts'
import { Badge } from '#web/ui/marks.tsx'
import { NumberChip } from '#web/ui/number-chip.tsx'
import { quotesOf } from './answer-parts.ts'
import { AnswerRow } from './answer-row.tsx'
import styles from './answer.module.css'
import { EvidenceFacts } from './evidence-facts.tsx'
import { EvidencePlace } from './evidence-place.tsx'

interface SourcesProps {
  message: ConversationMessage
  address: string
  openId: string | undefined
  onOpen: (evidence: StoredEvidence) => void
}

/**
 * The list of the papers that an answer cites, with the title of the citation style. Each paper has its formatted citation, its
 * evidence level, and the quotes from it with their pages. Renders nothing if the answer cites no paper.
 */
export function Sources({ message: { answer, sources }, address, openId, onOpen }: SourcesProps) {
  const cited = sources.flatMap((source) => {
    const quotes = answer ? quotesOf(answer, source.document_id) : []
    return quotes.length > 0 ? [{ source, quotes }] : []
  })
  if (cited.length === 0) return null
  const styleTitles = new Set(cited.flatMap(({ source }) => source.citation.style ?? []))
  return (
    <AnswerRow label="Sources" about={[counted(cited.length, 'paper'), ...styleTitles]}>
      <ol className={styles.sources} aria-label="Sources">
        {cited.map(({ source, quotes }) => {
          const isOpen = quotes.some(({ id }) => id === openId)
          return (
            <li key={source.number}>
              <NumberChip number={source.number} current={isOpen} onClick={() => onOpen(quotes[0]!)} />
              <div>
                <p className="font-serif text-[0.9688rem] leading-5.5 text-pretty wrap-anywhere">
                  {source.retracted ? (
                    <>
                      <Badge tone="alarm">retracted</Badge>{' '}
                    </>
                  ) : null}
                  {readMarkup(source.citation.html)}
                </p>
                <EvidenceFacts source={source} of="level" />
                <ul className={styles.quotes}>
                  {quotes.map((evidence) => (
                    <li key={evidence.id}>
                      <q>{evidence.quote}</q>
                      <span>
                        <EvidencePlace
                          evidence={evidence}
                          address={address}
                          current={openId === evidence.id}
                          onOpen={onOpen}
                        />
                      </span>
                    </li>
                  ))}
                </ul>
              </div>
            </li>
          )
        })}
      </ol>
    </AnswerRow>
  )
}
