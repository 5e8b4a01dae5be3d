import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { hasOnlyNearest, scopeOfAnswer, whyIncomplete } from '#shared/contract/answer-texts.ts'
import {
  type ConversationMessage,
  NOTHING_TO_ANSWER_FROM,
  type StoredEvidence,
} from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { Alert, Skeleton } from '#web/ui/marks.tsx'
import { Status } from '#web/ui/status.tsx'
import { Answer } from './answer.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { AnswerRow } from './answer-row.tsx'
import styles from './answer.module.css'
import { Refusal } from './refusal.tsx'
import type { Step } from './running-answer.ts'
import { Sources } from './sources.tsx'
import { Unsupported } from './unsupported.tsx'

interface TurnProps {
  message: ConversationMessage
  project: Project
  /** The progress of an answer that is streamed to this page; null for any other answer. */
  steps: Step[] | null
  /** Index of the sentence whose evidence is shown; null if it is not in this answer. */
  pointedIndex: number | null
  open: StoredEvidence | null
  onPoint: (messageId: string, index: number) => void
  onOpen: (evidence: StoredEvidence) => void
  /** Asks the question again; null if the user must not ask or an answer is being written. */
  onRunAgain: ((message: ConversationMessage) => void) | null
}

/** A question with its answer. */
export const Turn = memo(function Turn(props: TurnProps) {
  const { message, project, steps, pointedIndex, open, onPoint, onOpen, onRunAgain } = props
  const { answer, status } = message
  const isWriting = status === 'answering'
  const about = answer
    ? [
        `${scopeOfAnswer(message.scope, answer.papers)}${answer.retracted_left_out > 0 ? ',' : ''}`,
        ...(answer.retracted_left_out > 0 ? [`${answer.retracted_left_out} retracted left out`] : []),
        ...(answer.cached ? ['stored answer'] : []),
        ...(message.run_id && message.run_number !== null && !isWriting
          ? [<RunLink key="run" address={project.address} id={message.run_id} number={message.run_number} />]
          : []),
      ]
    : []
  return (
    <article className={styles.turn} data-chat-turn>
      <AnswerRow>
        <h2 className={styles.question}>{message.question}</h2>
      </AnswerRow>
      {isWriting && (steps || !answer) ? (
        <AnswerRow {...(answer ? {} : { label: 'Answer' })}>
          <Steps steps={steps ?? [{ words: 'The answer is being written…', done: false }]} />
        </AnswerRow>
      ) : null}
      {answer && hasOnlyNearest(answer) ? (
        <Refusal
          message={message}
          answer={answer}
          about={about}
          address={project.address}
          open={open}
          onOpen={onOpen}
        />
      ) : answer ? (
        <Answer
          message={message}
          answer={answer}
          about={about}
          pointedIndex={pointedIndex}
          open={open}
          onPoint={onPoint}
          onOpen={onOpen}
        />
      ) : null}
      {isWriting ? (
        <AnswerRow>
          <div className="grid max-w-(--measure) gap-3 pt-1.75" aria-hidden>
            <Skeleton width="96%" />
            <Skeleton width="71%" />
          </div>
        </AnswerRow>
      ) : (
        <>
          <AnswerRow>
            <Ending message={message} address={project.address} />
            {answer ? <Unsupported sentences={answer.unsupported} /> : null}
            <AnswerActions message={message} project={project} onRunAgain={onRunAgain} />
          </AnswerRow>
          <Sources message={message} address={project.address} openId={open?.id} onOpen={onOpen} />
        </>
      )}
    </article>
  )
})

const RunLink = ({ address, id, number }: { address: string; id: string; number: number }) => (
  <Link className="underline decoration-1 underline-offset-[0.22em] hover:text-foreground" to={pages.run(address, id)}>
    run {number}
  </Link>
)

/** The steps of an answer: finished steps with a check mark, the current step with the icon 'Processing'. */
const Steps = ({ steps }: { steps: Step[] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 pt-0.75" aria-hidden>
    {steps.map(({ words, done }) => (
      <li key={words}>
        <Status word={done ? 'Completed' : 'Processing'} label={words} />
      </li>
    ))}
  </ul>
)

/** Shows why an answer is incomplete. */
function Ending({ message, address }: { message: ConversationMessage; address: string }) {
  const { status, error } = message
  if (status === 'stopped') return <p className="mb-2 text-meta text-muted-foreground">{whyIncomplete(message)}</p>
  if (status !== 'failed') return null
  return (
    <>
      <Alert>{error}</Alert>
      {error === NOTHING_TO_ANSWER_FROM ? (
        <Button asChild size="sm" className="mt-3">
          <Link to={pages.documents(address)}>Go to the documents</Link>
        </Button>
      ) : null}
    </>
  )
}
