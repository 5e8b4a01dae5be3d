import { ArrowRight } from 'lucide-react'
import { EXAMPLE_QUESTIONS } from '#shared/contract/chat.ts'
import type { ConversationWithMessages } from '#shared/contract/conversations.ts'
import { useMay } from '#web/lib/rights.tsx'
import styles from './chat.module.css'
import { EarlierConversations } from './earlier-conversations.tsx'

/**
 * Shown before the first question: examples, and the earlier conversations about the paper. A member who may not ask sees the
 * conversations only.
 */
export function ChatEmpty({
  documentId,
  onAsk,
  onOpen,
}: {
  documentId: string
  /** Null while no question can be sent. */
  onAsk: ((question: string) => void) | null
  onOpen: (conversation: ConversationWithMessages) => void
}) {
  if (!useMay('ask'))
    return (
      <div className={styles.empty}>
        <h2>Conversations about this paper</h2>
        <EarlierConversations documentId={documentId} empty="None yet." onOpen={onOpen} />
      </div>
    )
  return (
    <div className={styles.empty}>
      <h2>Ask about this paper</h2>
      <p>Every sentence of an answer links to its passage in the pages.</p>
      <ul>
        {EXAMPLE_QUESTIONS.map((question) => (
          <li key={question}>
            <button type="button" disabled={!onAsk} onClick={() => onAsk?.(question)}>
              {question}
              <ArrowRight aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <EarlierConversations documentId={documentId} onOpen={onOpen} />
    </div>
  )
}
