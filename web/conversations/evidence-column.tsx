import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type {
  AnswerSentence,
  AnswerSource,
  ConversationMessage,
  StoredEvidence,
} from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import { MARK_LABELS } from '#shared/contract/sentence-marks.ts'
import { NumberChip } from '#web/ui/number-chip.tsx'
import { Status } from '#web/ui/status.tsx'
import { contextOf, otherQuotes } from './answer-parts.ts'
import styles from './evidence.module.css'
import { EvidenceFacts } from './evidence-facts.tsx'
import { EvidencePlace } from './evidence-place.tsx'
import { Doubt } from './sentence.tsx'

export interface EvidenceProps {
  /** The answer that contains the sentence, and the index of the sentence; null if there is none. */
  pointed: { message: ConversationMessage; index: number } | null
  address: string
  openId: string | undefined
  onOpen: (evidence: StoredEvidence) => void
}

/**
 * A space between an opening quotation mark and the quote. Without it, the highlight of the quote covers a part of the
 * quotation mark.
 */
const THIN_SPACE = '\u2009'

const sourceOf = (sources: readonly AnswerSource[], { document_id }: StoredEvidence) =>
  sources.find((source) => source.document_id === document_id)

/** The evidence of the sentence under the pointer or with the focus, and the quotes of the other sentences. */
export function EvidenceColumn({ pointed, children, ...open }: EvidenceProps & { children?: ReactNode }) {
  const answer = pointed?.message.answer
  const sentence = answer?.sentences[pointed!.index]
  const others = answer && sentence ? otherQuotes(answer.sentences, sentence) : []
  return (
    <aside className={styles.evidence} aria-label="Evidence">
      <h2>Evidence</h2>
      {pointed && sentence ? (
        <>
          <p className="mt-0.5 text-meta text-muted-foreground">of the sentence under the pointer</p>
          <ol className={styles.places}>
            {sentence.evidence.map((evidence) => (
              <PointedEvidence
                key={evidence.id}
                evidence={evidence}
                sentence={sentence}
                source={sourceOf(pointed.message.sources, evidence)}
                {...open}
              />
            ))}
          </ol>
          {others.length > 0 ? (
            <>
              <h3>Other sentences</h3>
              <ol className={styles.others}>
                {others.map((other) => (
                  <OtherEvidence
                    key={other.evidence.id}
                    {...other}
                    source={sourceOf(pointed.message.sources, other.evidence)}
                    {...open}
                  />
                ))}
              </ol>
            </>
          ) : null}
        </>
      ) : (
        children
      )}
    </aside>
  )
}

interface OneEvidence extends Omit<EvidenceProps, 'pointed'> {
  evidence: StoredEvidence
  sentence: AnswerSentence
  source: AnswerSource | undefined
}

function PointedEvidence({ evidence, sentence, source, address, openId, onOpen }: OneEvidence) {
  const { before, after } = contextOf(evidence)
  return (
    <li>
      {source ? (
        <div className={styles.paper}>
          <NumberChip number={source.number} current onClick={() => onOpen(evidence)} />
          <div>
            <Link to={pages.document(address, source.document_id)}>{source.title ?? source.citation.text}</Link>
            <EvidenceFacts source={source} />
          </div>
        </div>
      ) : null}
      <blockquote className={styles.quote}>
        “{before || THIN_SPACE}
        <mark>{evidence.quote}</mark>
        {after}”{' '}
        <EvidencePlace evidence={evidence} address={address} current={openId === evidence.id} onOpen={onOpen} />
      </blockquote>
      <p className="mt-2 text-xs text-muted-foreground">
        {evidence.lost || evidence.match === 'none' ? (
          'Not found in the newest text of the paper'
        ) : evidence.match === 'approximate' ? (
          `Similar words were found: ${Math.round(evidence.score * 100)}% equal`
        ) : (
          <Status
            word="Completed"
            label={evidence.match === 'exact' ? 'Found letter for letter' : 'Found on letters and digits'}
          />
        )}
      </p>
      <Doubts sentence={sentence} />
    </li>
  )
}

function OtherEvidence({ evidence, sentence, source, address, openId, onOpen }: OneEvidence) {
  return (
    <li>
      {source ? <NumberChip number={source.number} onClick={() => onOpen(evidence)} /> : <span />}
      <div>
        {source ? <EvidenceFacts source={source} of="short" /> : null}
        <blockquote>
          “{evidence.quote}”{' '}
          <EvidencePlace evidence={evidence} address={address} current={openId === evidence.id} onOpen={onOpen} />
        </blockquote>
        <Doubts sentence={sentence} />
      </div>
    </li>
  )
}

/** The warnings about a sentence, shown below its quote, except 'near'. A warning about numbers lists the numbers. */
function Doubts({ sentence: { marks } }: { sentence: AnswerSentence }) {
  const own = marks.filter(({ kind }) => kind !== 'near')
  if (own.length === 0) return null
  return (
    <p className="mt-1.5 flex flex-wrap gap-1">
      {own.map((mark) => (
        <Doubt key={mark.kind} mark={mark}>
          {mark.kind === 'number' && mark.words.length > 0
            ? `${mark.words.join(', ')} not in this quote`
            : MARK_LABELS[mark.kind]}
        </Doubt>
      ))}
    </p>
  )
}

/**
 * The first quote of the sentence under the pointer or with the focus, as one line above the question field. It replaces the
 * evidence column in windows that are too narrow for the column.
 */
export function EvidenceStrip({ pointed, address, openId, onOpen }: EvidenceProps) {
  const sentence = pointed?.message.answer?.sentences[pointed.index]
  const evidence = sentence?.evidence[0]
  if (!pointed || !evidence) return null
  const source = sourceOf(pointed.message.sources, evidence)
  return (
    <div className={styles.strip} role="region" aria-label="Evidence of the sentence" data-slot="evidence-strip">
      {source ? <NumberChip number={source.number} current onClick={() => onOpen(evidence)} /> : <span />}
      <p>“{evidence.quote}”</p>
      <EvidencePlace evidence={evidence} address={address} current={openId === evidence.id} onOpen={onOpen} />
    </div>
  )
}
