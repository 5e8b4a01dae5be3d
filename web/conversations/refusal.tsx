import type { ReactNode } from 'react'
import { NEAREST_PASSAGES, noAnswer, reasonOfRefusal } from '#shared/contract/answer-texts.ts'
import type { ConversationMessage, LibraryAnswer, StoredEvidence } from '#shared/contract/conversations.ts'
import { WORDS_ONLY_NOTES } from '#shared/contract/library-search.ts'
import { pages } from '#shared/contract/paths.ts'
import { MatchKind } from '#web/ui/match-kind.tsx'
import { NumberChip } from '#web/ui/number-chip.tsx'
import { wordParts } from './answer-parts.ts'
import { AnswerRow } from './answer-row.tsx'
import styles from './answer.module.css'
import { EvidenceFacts } from './evidence-facts.tsx'
import { EvidencePlace } from './evidence-place.tsx'
import { TitleLink } from './title-link.tsx'

interface RefusalProps {
  message: ConversationMessage
  answer: LibraryAnswer
  about: readonly ReactNode[]
  address: string
  open: StoredEvidence | null
  onOpen: (evidence: StoredEvidence) => void
}

/**
 * Shows the result of a question without an answer, because no paper answers it or no sentence of the model could be verified.
 * Shows the reason and at most three of the nearest passages.
 */
export function Refusal({ message, answer, about, address, open, onOpen }: RefusalProps) {
  const reason = reasonOfRefusal(answer)
  return (
    <AnswerRow label="Answer" about={about}>
      <p className="mb-2 max-w-(--measure) font-serif text-[1.1875rem] leading-6.5 font-semibold tracking-[-0.012em]">
        {noAnswer(answer)}
      </p>
      {reason ? <p className="mb-3 max-w-(--measure) font-serif text-[1.0625rem] leading-6.75">{reason}</p> : null}
      {answer.words_only ? (
        <p className="mb-2 text-meta text-muted-foreground">{WORDS_ONLY_NOTES[answer.words_only]}</p>
      ) : null}
      {answer.nearest.length > 0 ? (
        <>
          <p className="mb-2 pt-0.75 text-meta font-[530] text-muted-foreground">{NEAREST_PASSAGES}</p>
          <ol className={styles.nearest}>
            {answer.nearest.map((evidence) => {
              const source = message.sources.find(({ document_id }) => document_id === evidence.document_id)
              return (
                <li key={evidence.id}>
                  <div className="flex flex-col items-start gap-1.75 max-md:flex-row max-md:items-center">
                    <EvidencePlace
                      evidence={evidence}
                      address={address}
                      current={open?.id === evidence.id}
                      onOpen={onOpen}
                    />
                    {evidence.matched ? <MatchKind matched={evidence.matched} /> : null}
                  </div>
                  <div>
                    {source ? (
                      <>
                        <div className="flex items-start gap-2">
                          <NumberChip
                            number={source.number}
                            className="mt-px"
                            current={open?.id === evidence.id}
                            onClick={() => onOpen(evidence)}
                          />
                          <h4>
                            <TitleLink
                              to={pages.document(address, evidence.document_id)}
                              onOpen={evidence.lost ? null : () => onOpen(evidence)}
                            >
                              {source.title ?? source.citation.text}
                            </TitleLink>
                          </h4>
                        </div>
                        <EvidenceFacts source={source} section={evidence.section} />
                      </>
                    ) : null}
                    <p className={styles.passage}>
                      {wordParts(evidence.quote, evidence.words).map(({ text, isMarked }, index) =>
                        isMarked ? <mark key={index}>{text}</mark> : text,
                      )}
                    </p>
                  </div>
                </li>
              )
            })}
          </ol>
        </>
      ) : null}
    </AnswerRow>
  )
}
