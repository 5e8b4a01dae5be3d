import type { RefObject } from 'react'
import { QuestionBox } from '#web/ui/question-box.tsx'
import styles from './chat.module.css'

const LONGEST_QUESTION = 4000

interface ComposerProps {
  processing: boolean
  model: string
  field: RefObject<HTMLTextAreaElement | null>
  onAsk: (question: string) => void
  onStop: () => void
}

/** The question bar. While an answer is streamed, it shows Stop. */
export const Composer = ({ processing, model, field, onAsk, onStop }: ComposerProps) => (
  <QuestionBox
    className={styles.composer}
    placeholder="Ask about this paper"
    longest={LONGEST_QUESTION}
    busy={processing}
    field={field}
    onAsk={onAsk}
    onStop={onStop}
    below={
      <p className={styles.hint}>
        <span>Enter sends</span>
        <span>{model}</span>
      </p>
    }
  />
)
