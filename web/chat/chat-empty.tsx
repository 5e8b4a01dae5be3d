import { ArrowRight } from 'lucide-react'
import { EXAMPLE_QUESTIONS } from '#shared/contract/chat.ts'
import styles from './chat.module.css'

/** Shown before the first question. */
export function ChatEmpty({ onAsk }: { onAsk: (question: string) => void }) {
  return (
    <div className={styles.empty}>
      <h2>Ask about this paper</h2>
      <p>Every sentence of an answer links to its passage in the pages.</p>
      <ul>
        {EXAMPLE_QUESTIONS.map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {question}
              <ArrowRight aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
