import type { FoundPassage } from '#shared/contract/passages.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/marks.tsx'
import { Answer } from './answer.tsx'
import styles from './chat.module.css'
import { Sources } from './sources.tsx'
import type { ChatMessage } from './chat-message.ts'

const WORDS_ONLY = 'Searched by words only, because the document has no vectors of the current model.'

interface TurnProps {
  question: ChatMessage
  answer: ChatMessage | undefined
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
  /** Asks a question; null while no question can be asked. */
  onAsk: ((question: string) => void) | null
}

/** A question and its answer. */
export function Turn({ question, answer, shown, onShow, onAsk }: TurnProps) {
  return (
    <article data-chat-turn>
      <h2 className={styles.question}>{question.content}</h2>
      {answer ? (
        <>
          <Answer message={answer} shown={shown} onShow={onShow} />
          <Ending message={answer} />
          {answer.state === 'failed' && onAsk ? (
            <Button size="sm" className="mt-2" onClick={() => onAsk(question.content)}>
              Ask again
            </Button>
          ) : null}
          {answer.state === 'writing' ? null : <Sources sources={answer.sources} shown={shown} onShow={onShow} />}
        </>
      ) : null}
    </article>
  )
}

/** Shown below an answer that is still being written, was stopped or has failed. */
function Ending({ message }: { message: ChatMessage }) {
  switch (message.state) {
    case 'writing':
      return (
        <p className={styles.waiting}>
          <Spinner />
          {waitingFor(message)}
        </p>
      )
    case 'stopped':
      return <p className={styles.waiting}>Stopped.</p>
    case 'failed':
      return <p className="mt-3 text-destructive">{message.error}</p>
    case 'complete':
      return message.wordsOnly ? <p className={styles.waiting}>{WORDS_ONLY}</p> : null
  }
}

/** Returns the current step of an unfinished answer, in words. */
export function waitingFor(message: ChatMessage): string {
  if (message.content) return 'Writing the answer'
  const count = message.sources.length
  if (count === 0) return 'Searching the paper'
  return count === 1 ? 'Reading 1 passage' : `Reading ${count} passages`
}
