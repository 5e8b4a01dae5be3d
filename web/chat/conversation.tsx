import { useEffect, useRef } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { useSite } from '#web/lib/site.ts'
import { ChatEmpty } from './chat-empty.tsx'
import styles from './chat.module.css'
import { Composer } from './composer.tsx'
import { Turn, waitingFor } from './turn.tsx'
import { useChat } from './use-chat.ts'

/** Space above the question, in CSS pixels. */
const ABOVE_PX = 16
/** Auto-scroll stops if the user has scrolled further than this, in CSS pixels. */
const FOLLOW_PX = 24

interface ConversationProps {
  documentId: string
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/** The conversation about one document, and the question bar. */
export function Conversation({ documentId, shown, onShow }: ConversationProps) {
  const { messages, processing, model, ask, stop } = useChat(documentId)
  const configured = useSite().ai.chat_model
  const field = useRef<HTMLTextAreaElement>(null)
  const thread = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const placed = useRef(0)

  // Scrolls the last question to the top, as far as the length of its answer allows.
  useEffect(() => {
    const box = thread.current
    const turn = box?.lastElementChild
    if (!box || !turn || !following.current) return
    box.scrollTop += turn.getBoundingClientRect().top - box.getBoundingClientRect().top - ABOVE_PX
    placed.current = box.scrollTop
  }, [messages])

  const send = (question: string) => {
    following.current = true
    field.current?.focus({ preventScroll: true })
    void ask(question)
  }
  const last = messages.at(-1)
  return (
    <>
      <div
        ref={thread}
        className={styles.thread}
        role="region"
        aria-label="Conversation"
        aria-busy={processing}
        tabIndex={0}
        onScroll={({ currentTarget: box }) => {
          following.current = Math.abs(box.scrollTop - placed.current) < FOLLOW_PX
        }}
      >
        {messages.length === 0 ? <ChatEmpty onAsk={send} /> : null}
        {messages
          .filter((message) => message.role === 'user')
          .map((question) => (
            <Turn
              key={question.id}
              question={question}
              answer={messages[question.id + 1]}
              shown={shown}
              onShow={onShow}
            />
          ))}
      </div>
      {/* Announces the steps only: screen readers would read the streamed answer in fragments. */}
      <p className="sr-only" role="status">
        {last?.role !== 'assistant' ? '' : last.state === 'writing' ? waitingFor(last) : spoken(last.state)}
      </p>
      <Composer processing={processing} model={model ?? configured} field={field} onAsk={send} onStop={stop} />
    </>
  )
}

const spoken = (state: 'complete' | 'stopped' | 'failed') =>
  ({ complete: 'The answer is ready', stopped: 'Stopped', failed: 'The question could not be answered' })[state]
