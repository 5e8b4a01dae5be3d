import { ArrowRight } from 'lucide-react'

/** Questions that make sense for nearly every paper. */
const EXAMPLES = [
  'What did the authors find?',
  'How was the study carried out?',
  'Which limitations do the authors name?',
] as const

/** Before the first question. */
export function ChatEmpty({ onAsk }: { onAsk: (question: string) => void }) {
  return (
    <div className="chat-empty">
      <h2>Ask about this paper</h2>
      <p>Every sentence of an answer links to its passage in the pages.</p>
      <ul>
        {EXAMPLES.map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {question}
              <ArrowRight className="ic" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
