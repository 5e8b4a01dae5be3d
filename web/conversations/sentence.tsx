import { memo } from 'react'
import type { AnswerSentence, AnswerSource, SentenceMark, StoredEvidence } from '#shared/contract/conversations.ts'
import { MARK_LABELS } from '#shared/contract/sentence-marks.ts'
import { NumberChip } from '#web/ui/number-chip.tsx'
import { citedPapers, wordParts, splitEnd } from './answer-parts.ts'
import styles from './answer.module.css'

interface SentenceProps {
  sentence: AnswerSentence
  sources: readonly AnswerSource[]
  messageId: string
  index: number
  isPointed: boolean
  /** Id of the paper whose quote is open in the reader. */
  openDocument: string | null
  onPoint: (messageId: string, index: number) => void
  onOpen: (evidence: StoredEvidence) => void
}

/**
 * A sentence of an answer with the numbers of its papers and the warnings about it. Pointing at it or focusing it shows its
 * evidence.
 */
export const Sentence = memo(function Sentence({
  sentence,
  sources,
  messageId,
  index,
  isPointed,
  openDocument,
  onPoint,
  onOpen,
}: SentenceProps) {
  const [start, end] = splitEnd(sentence.text)
  const missing = sentence.marks.flatMap(({ kind, words }) => (kind === 'number' ? words : []))
  return (
    <>
      <span
        className={styles.sentence}
        data-answer-sentence
        aria-current={isPointed ? 'true' : undefined}
        onPointerEnter={() => onPoint(messageId, index)}
        onFocus={() => onPoint(messageId, index)}
      >
        <Words text={start} doubted={missing} />
        <span className="whitespace-nowrap">
          <Words text={end} doubted={missing} />
          {'\u00a0'}
          {citedPapers(sentence, sources).map(({ source, evidence }) => (
            <NumberChip
              key={source.number}
              number={source.number}
              current={isPointed || openDocument === source.document_id}
              title={`“${evidence.quote}”`}
              onClick={() => onOpen(evidence)}
            />
          ))}
        </span>
        {sentence.marks.map((mark) => (
          <span key={mark.kind}>
            {' '}
            <Doubt mark={mark}>{MARK_LABELS[mark.kind]}</Doubt>
          </span>
        ))}
      </span>{' '}
    </>
  )
})

function Words({ text, doubted }: { text: string; doubted: readonly string[] }) {
  return wordParts(text, doubted).map((part, index) =>
    part.isMarked ? (
      <span key={index} className={styles.doubted}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}

/** A warning about a sentence: a ringed question mark and the text of the warning. */
export const Doubt = ({ mark, children }: { mark: SentenceMark; children: string }) => (
  <span className={styles.doubt} title={mark.words.length > 0 ? mark.words.join(', ') : undefined}>
    <svg viewBox="0 0 12 12" aria-hidden>
      <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path
        d="M4.6 4.9a1.45 1.45 0 1 1 2 1.35c-.4.2-.6.45-.6.85M6 8.75v.1"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinecap="round"
      />
    </svg>
    {children}
  </span>
)
