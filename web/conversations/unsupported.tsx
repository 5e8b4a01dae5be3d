import { UNSUPPORTED_REASONS } from '#shared/contract/answer-texts.ts'
import type { LibraryAnswer } from '#shared/contract/conversations.ts'
import { Fold } from '#web/ui/fold.tsx'
import styles from './answer.module.css'

/** The sentences of a model for which no quote was found. They are collapsed at first and are never copied. */
export function Unsupported({ sentences }: { sentences: LibraryAnswer['unsupported'] }) {
  if (sentences.length === 0) return null
  return (
    <Fold summary={`Said without evidence (${sentences.length})`} about="no quote was found for these">
      <ul className={styles.unsupported}>
        {sentences.map(({ text, reason }, index) => (
          <li key={index}>
            {text}
            <span>{UNSUPPORTED_REASONS[reason]}</span>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
