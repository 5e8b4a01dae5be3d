import { useEffect, useRef } from 'react'
import { Plus } from 'lucide-react'
import { ONLY_AUTHOR } from '#shared/contract/conversations.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { ONLY_READS } from '#web/conversations/index.ts'
import { useMay } from '#web/lib/rights.tsx'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { ChatEmpty } from './chat-empty.tsx'
import styles from './chat.module.css'
import { Composer } from './composer.tsx'
import { Turn, waitingFor } from './turn.tsx'
import { useChat } from './use-chat.ts'

/** Space above the last question when the conversation is scrolled to it, in CSS pixels. */
const ABOVE_PX = 16
/** Auto-scroll stops if the user scrolls further than this from the automatic position, in CSS pixels. */
const FOLLOW_PX = 24

interface ConversationProps {
  documentId: string
  /** The id of the element with the reason why the document cannot be asked; undefined if it can. */
  lockedBy: string | undefined
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/** The conversation about one document, and the question bar for members who may ask. */
export function Conversation({ documentId, lockedBy, shown, onShow }: ConversationProps) {
  const { messages, processing, model, stored, ask, stop, open, startFresh } = useChat(documentId)
  const configured = useSite().ai.chat_model
  const mayAsk = useMay('ask')
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
  const onAsk = mayAsk && lockedBy === undefined ? send : null
  return (
    <>
      {stored?.isEarlier ? (
        <div className={styles.earlierBar}>
          <span>
            {stored.is_mine
              ? 'Earlier conversation'
              : `Conversation of ${stored.created_by?.name ?? 'a former member'}`}
          </span>
          <Button variant="ghost" size="sm" disabled={processing} onClick={startFresh}>
            {mayAsk ? (
              <>
                <Plus aria-hidden="true" />
                Start fresh
              </>
            ) : (
              'Other conversations'
            )}
          </Button>
        </div>
      ) : null}
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
        {messages.length === 0 ? <ChatEmpty documentId={documentId} onAsk={onAsk} onOpen={open} /> : null}
        {messages
          .filter((message) => message.role === 'user')
          .map((question) => (
            <Turn
              key={question.id}
              question={question}
              answer={messages[question.id + 1]}
              shown={shown}
              onShow={onShow}
              onAsk={processing || stored?.is_mine === false ? null : onAsk}
            />
          ))}
      </div>
      {/* Announces the steps only: screen readers would read the streamed answer in fragments. */}
      <p className="sr-only" role="status">
        {last?.role !== 'assistant' ? '' : last.state === 'writing' ? waitingFor(last) : spoken(last.state)}
      </p>
      {!mayAsk || stored?.is_mine === false ? (
        <p className="flex-none px-7 pt-3 pb-4.5 text-meta text-muted-foreground max-md:px-4">
          {mayAsk ? ONLY_AUTHOR : ONLY_READS}
        </p>
      ) : (
        <Composer
          documentId={documentId}
          processing={processing}
          lockedBy={lockedBy}
          model={model ?? configured}
          field={field}
          onAsk={send}
          onStop={stop}
        />
      )}
    </>
  )
}

const spoken = (state: 'complete' | 'stopped' | 'failed') =>
  ({ complete: 'The answer is ready', stopped: 'Stopped', failed: 'The question could not be answered' })[state]
