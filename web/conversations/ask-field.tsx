import { useEffect, useRef } from 'react'
import { type Conversation, LONGEST_QUESTION, STILL_ANSWERING } from '#shared/contract/conversations.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useSession } from '#web/auth/index.ts'
import { useTextDraft } from '#web/lib/drafts.ts'
import { useSite } from '#web/lib/site.ts'
import { QuestionBox } from '#web/ui/question-box.tsx'
import styles from './conversations.module.css'
import { ONLY_READS } from './only-reads.ts'
import type { AskSettings } from './running-answer.ts'
import { ScopeControl } from './scope-control.tsx'

interface AskFieldProps {
  project: Project
  conversation: Conversation | undefined
  mayAsk: boolean
  settings: AskSettings
  onSettings: (settings: AskSettings) => void
  /** The answer of this conversation is being written. */
  isBusy: boolean
  /** An answer of another conversation is being written. */
  isElsewhereBusy: boolean
  isStopping: boolean
  onAsk: (question: string) => void
  onStop: () => void
}

/**
 * The field for a question, and the choice of the papers to answer from. A user who must not ask in this conversation sees the
 * reason instead. The text of a question that was not sent stays in this tab until another user signs in.
 */
export function AskField(props: AskFieldProps) {
  const { conversation, mayAsk, isBusy, isElsewhereBusy } = props
  const model = useSite().ai.chat_model
  const field = useRef<HTMLTextAreaElement>(null)
  const id = conversation?.id
  const draft = useTextDraft(useSession().session?.user.id ?? '', `question.${props.project.id}`)
  // On a touch screen the focus would open the keyboard over the conversation.
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
  }, [id])
  if (!mayAsk) return <p className={styles.noField}>{ONLY_READS}</p>
  if (conversation && !conversation.is_mine)
    return (
      <p className={styles.noField}>
        Only {conversation.created_by?.name ?? 'its author'} continues this conversation. ‘Start fresh’ opens your own.
      </p>
    )
  return (
    <QuestionBox
      className={styles.field}
      placeholder={isBusy ? 'The answer is being written…' : 'Ask this project…'}
      longest={LONGEST_QUESTION}
      busy={isBusy}
      stopping={props.isStopping}
      locked={isElsewhereBusy}
      field={field}
      {...draft}
      onAsk={props.onAsk}
      onStop={props.onStop}
      above={
        <ScopeControl project={props.project} settings={props.settings} model={model} onChange={props.onSettings} />
      }
      below={isElsewhereBusy ? <p className="mt-1.5 text-meta text-muted-foreground">{STILL_ANSWERING}</p> : null}
    />
  )
}
