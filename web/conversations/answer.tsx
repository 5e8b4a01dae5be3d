import type { ReactNode } from 'react'
import { BEST_PASSAGES } from '#shared/contract/answer-texts.ts'
import type { ConversationMessage, LibraryAnswer, StoredEvidence } from '#shared/contract/conversations.ts'
import { WORDS_ONLY_NOTES } from '#shared/contract/library-search.ts'
import { answerSections } from './answer-parts.ts'
import { AnswerRow } from './answer-row.tsx'
import styles from './answer.module.css'
import { Sentence } from './sentence.tsx'

interface AnswerProps {
  message: ConversationMessage
  answer: LibraryAnswer
  /** Lines below the label 'Answer'. */
  about: readonly ReactNode[]
  /** Index of the sentence whose evidence is shown; null if it is not in this answer. */
  pointedIndex: number | null
  open: StoredEvidence | null
  onPoint: (messageId: string, index: number) => void
  onOpen: (evidence: StoredEvidence) => void
}

/**
 * The sentences of an answer. If papers disagree, each side has its own part with a label. The text of a model is shown as
 * plain text.
 */
export function Answer({ message, answer, about, pointedIndex, open, onPoint, onOpen }: AnswerProps) {
  const sections = answerSections(answer)
  const isQuoted = answer.kind === 'passages'
  return sections.map(({ group, label, sentences }, position) => {
    const isFirst = position === 0
    return (
      <AnswerRow
        key={position}
        {...(isFirst && group === null ? { label: 'Answer', about } : label ? { label } : {})}
        {...(isFirst && group !== null ? { about } : {})}
        isGroup={group !== null || (!isFirst && sections[position - 1]!.group !== null)}
      >
        {isFirst && answer.words_only ? (
          <p className="mb-2 text-meta text-muted-foreground">{WORDS_ONLY_NOTES[answer.words_only]}</p>
        ) : null}
        {isFirst && isQuoted && answer.groups.length === 0 ? (
          <p className="mb-2 pt-0.75 text-meta font-[530] text-muted-foreground">{BEST_PASSAGES}</p>
        ) : null}
        {isQuoted ? (
          sentences.map((one) => (
            <p key={one.index} className={styles.answer}>
              <Sentence {...one} {...shared(one.index)} />
            </p>
          ))
        ) : (
          <p className={styles.answer}>
            {sentences.map((one) => (
              <Sentence key={one.index} {...one} {...shared(one.index)} />
            ))}
          </p>
        )}
      </AnswerRow>
    )
  })

  function shared(index: number) {
    return {
      sources: message.sources,
      isPointed: pointedIndex === index,
      openDocument: open?.document_id ?? null,
      messageId: message.id,
      onPoint,
      onOpen,
    }
  }
}
