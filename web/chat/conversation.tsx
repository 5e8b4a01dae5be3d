import { useEffect, useRef } from 'react'
import type { FoundPassage } from '#shared/passages.ts'
import { useSite } from '#web/lib/site.ts'
import { ChatEmpty } from './chat-empty.tsx'
import { Composer } from './composer.tsx'
import { Turn, waitingFor } from './turn.tsx'
import { useChat } from './use-chat.ts'

/** So near to its end the thread follows the answer being written; further up someone is reading. */
const FOLLOW_PX = 80

interface ConversationProps {
  documentId: string
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/** Questions and answers about one document, and the question bar. */
export function Conversation({ documentId, shown, onShow }: ConversationProps) {
  const { messages, processing, model, ask, stop } = useChat(documentId)
  const configured = useSite().ai.chat_model
  const field = useRef<HTMLTextAreaElement>(null)
  const thread = useRef<HTMLDivElement>(null)
  const following = useRef(true)

  useEffect(() => {
    const box = thread.current
    if (box && following.current) box.scrollTop = box.scrollHeight
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
        className="chat-thread"
        role="region"
        aria-label="Conversation"
        aria-busy={processing}
        tabIndex={0}
        onScroll={({ currentTarget: box }) => {
          following.current = box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_PX
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
      {/* Spoken step by step; the growing answer itself would be read out in shreds. */}
      <p className="sr-only" role="status">
        {last?.role !== 'assistant' ? '' : last.state === 'writing' ? waitingFor(last) : spoken(last.state)}
      </p>
      <Composer processing={processing} model={model ?? configured} field={field} onAsk={send} onStop={stop} />
    </>
  )
}

const spoken = (state: 'complete' | 'stopped' | 'failed') =>
  ({ complete: 'The answer is ready', stopped: 'Stopped', failed: 'The question could not be answered' })[state]
