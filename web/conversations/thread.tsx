import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ConversationMessage, ConversationWithMessages, StoredEvidence } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { useMay } from '#web/lib/rights.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { Notice } from '#web/ui/page.tsx'
import styles from './conversations.module.css'
import { FirstUse } from './first-use.tsx'
import { type RunningAnswer, stepsOf } from './running-answer.ts'
import { Turn } from './turn.tsx'

/** Space above the last question when the conversation is scrolled to it, in CSS pixels. */
const ABOVE_PX = 26
/** Auto-scroll stops if the user scrolls further than this from the automatic position, in CSS pixels. */
const FOLLOW_PX = 24

interface ThreadProps {
  project: Project
  /** The query of the open conversation; null if no conversation is open. */
  query: Pick<UseQueryResult<ConversationWithMessages>, 'error' | 'data' | 'refetch'> | null
  messages: ConversationMessage[]
  running: RunningAnswer | null
  pointed: { messageId: string; index: number } | null
  open: StoredEvidence | null
  onPoint: (messageId: string, index: number) => void
  onOpen: (evidence: StoredEvidence) => void
  /** Asks a question; null if the user must not ask or an answer is being written. */
  onAsk: ((question: string) => void) | null
  onRunAgain: ((message: ConversationMessage) => void) | null
}

/** The questions and answers of a conversation. */
export function Thread(props: ThreadProps) {
  const { project, query, messages, running, pointed, open } = props
  const thread = useRef<HTMLDivElement>(null)
  const placed = useRef<number | null>(null)
  const last = messages.at(-1)
  const size = `${messages.length} ${last?.answer?.sentences.length ?? 0} ${last?.status}`

  // Scrolls the last question to the top, as far as the length of its answer allows. A new question always moves there.
  const asked = useRef(0)
  useEffect(() => {
    const box = thread.current
    const turn = box?.querySelector('[data-chat-turn]:last-of-type')
    if (!box || !turn) return
    const isNew = asked.current !== messages.length
    if (!isNew && placed.current !== null && Math.abs(box.scrollTop - placed.current) > FOLLOW_PX) return
    asked.current = messages.length
    box.scrollTop += turn.getBoundingClientRect().top - box.getBoundingClientRect().top - ABOVE_PX
    placed.current = box.scrollTop
  }, [messages.length, size])
  useSteadyPlace(thread, open?.id)

  return (
    <>
      <div ref={thread} className={styles.thread} role="region" aria-label="Messages" tabIndex={0}>
        {query?.error && !query.data ? (
          <ConversationMissing error={query.error} address={project.address} onRetry={() => void query.refetch()} />
        ) : query && !query.data && messages.length === 0 ? (
          <div className="mx-auto my-4 grid max-w-160 gap-4" aria-busy>
            {[62, 96, 91, 40].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        ) : messages.length === 0 ? (
          <FirstUse project={project} onAsk={props.onAsk} />
        ) : (
          messages.map((message, index) => (
            <Turn
              key={index}
              message={message}
              project={project}
              steps={running && index === messages.length - 1 && running.failure === null ? stepsOf(running) : null}
              pointedIndex={pointed?.messageId === message.id ? pointed.index : null}
              open={open}
              onPoint={props.onPoint}
              onOpen={props.onOpen}
              onRunAgain={props.onRunAgain}
            />
          ))
        )}
      </div>
      {/* A sentence arrives as a whole, so that screen readers can read each one when it is verified. */}
      <div className="sr-only" role="log" aria-label="Verified sentences">
        {running?.sentences.map(({ text }, index) => (
          <p key={index}>{text}</p>
        ))}
      </div>
      {/* Announces the steps. */}
      <p className="sr-only" role="status">
        {running && running.failure === null ? stepsOf(running).at(-1)!.words : announced(last)}
      </p>
    </>
  )
}

function announced(last: ConversationMessage | undefined): string {
  if (!last) return ''
  return {
    answering: 'The answer is being written…',
    done: 'The answer is ready',
    stopped: 'Stopped',
    failed: 'The question could not be answered',
  }[last.status]
}

/**
 * Scrolls the thread when the reader opens or closes, which changes the width of the thread. The number chip or page link that
 * the user clicked stays at the same height in the window.
 */
function useSteadyPlace(thread: { current: HTMLElement | null }, openId: string | undefined) {
  const held = useRef<{ link: Element; top: number } | null>(null)
  useEffect(() => {
    const box = thread.current
    if (!box) return
    const hold = () => {
      const focused = document.activeElement
      const link = box.contains(focused) && focused !== box ? focused : held.current?.link
      held.current = link?.isConnected ? { link, top: link.getBoundingClientRect().top } : null
    }
    box.addEventListener('click', hold)
    box.addEventListener('scroll', hold)
    return () => {
      box.removeEventListener('click', hold)
      box.removeEventListener('scroll', hold)
    }
  }, [thread])
  useLayoutEffect(() => {
    const box = thread.current
    if (box && held.current?.link.isConnected)
      box.scrollTop += held.current.link.getBoundingClientRect().top - held.current.top
  }, [thread, openId])
}

function ConversationMissing({ error, address, onRetry }: { error: Error; address: string; onRetry: () => void }) {
  const mayAsk = useMay('ask')
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Notice>
      <h2>{isMissing ? 'Conversation not found' : 'The conversation could not be loaded'}</h2>
      <p>{isMissing ? 'It was deleted, or its author does not show it to the project.' : messageOf(error)}</p>
      {isMissing ? (
        <Button asChild>
          <Link to={pages.ask(address)}>{mayAsk ? 'Start fresh' : 'Other conversations'}</Link>
        </Button>
      ) : (
        <Button onClick={onRetry}>Retry</Button>
      )}
    </Notice>
  )
}
