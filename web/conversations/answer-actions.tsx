import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hasOnlyNearest } from '#shared/contract/answer-texts.ts'
import { LONGEST_SEARCH } from '#shared/contract/address-values.ts'
import type { ConversationMessage } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { copyBoth } from '#web/citations/index.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './answer.module.css'
import { copiedAnswer } from './copied-answer.ts'
import { Feedback } from './feedback.tsx'
import { ReadPassages } from './read-passages.tsx'

interface AnswerActionsProps {
  message: ConversationMessage
  project: Project
  onRunAgain: ((message: ConversationMessage) => void) | null
}

/** The buttons below an answer, for example to copy it. */
export function AnswerActions({ message, project, onRunAgain }: AnswerActionsProps) {
  const [isReading, setReading] = useState(false)
  const { answer, question } = message
  const isRefusal = answer !== null && hasOnlyNearest(answer)
  const copy = async () => {
    if (await copyBoth(copiedAnswer(message))) toast({ title: 'Answer copied with its citations' })
  }
  return (
    <div className={styles.actions}>
      {answer && answer.sentences.length > 0 ? <Action onClick={() => void copy()}>Copy with citations</Action> : null}
      {isRefusal ? (
        <>
          <Button asChild variant="ghost" size="sm">
            <Link to={pages.search(project.address, { q: question.slice(0, LONGEST_SEARCH) })}>
              Search all passages
            </Link>
          </Button>
          <Button asChild variant="ghost" size="sm">
            <Link
              to={pages.discover(project.address)}
              title="Papers recommended for the research question of the project"
            >
              Open Discover
            </Link>
          </Button>
        </>
      ) : null}
      {onRunAgain ? (
        <Action onClick={() => onRunAgain(message)}>
          {answer?.cached ? 'Run again without the stored answer' : 'Run again'}
        </Action>
      ) : null}
      {answer ? (
        <>
          <Action onClick={() => setReading(true)}>What was read</Action>
          <Feedback key={message.id} message={message} />
        </>
      ) : null}
      {isReading ? (
        <ReadPassages message={message} address={project.address} onClose={() => setReading(false)} />
      ) : null}
    </div>
  )
}

const Action = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Button variant="ghost" size="sm" onClick={onClick}>
    {children}
  </Button>
)
