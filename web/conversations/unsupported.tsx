import type { z } from 'zod'
import type { unsupportedSentence } from '#shared/contract/conversations.ts'
import { Fold } from '#web/ui/fold.tsx'
import styles from './answer.module.css'

type UnsupportedSentence = z.infer<typeof unsupportedSentence>

const REASONS: Record<UnsupportedSentence['reason'], string> = {
  'no quote': 'The model gave no quote for this sentence',
  'quote not found': 'Quote not found in any of the papers read',
  'quote does not support it': 'The quote given does not support this sentence',
  'paper deleted': 'The paper of the quote was deleted or moved',
}

/** The sentences of a model for which no quote was found. They are collapsed at first and are never copied. */
export function Unsupported({ sentences }: { sentences: readonly UnsupportedSentence[] }) {
  if (sentences.length === 0) return null
  return (
    <Fold summary={`Said without evidence (${sentences.length})`} about="no quote was found for these">
      <ul className={styles.unsupported}>
        {sentences.map(({ text, reason }, index) => (
          <li key={index}>
            {text}
            <span>{REASONS[reason]}</span>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
