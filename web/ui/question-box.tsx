import { Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'
import styles from './question-box.module.css'

interface QuestionBoxProps {
  placeholder: string
  /** Maximum number of characters of a question. */
  longest: number
  /** True while an answer is being written. The button Stop then replaces Send. */
  busy: boolean
  /** True after the user has pressed Stop. */
  stopping?: boolean
  /** True while questions cannot be sent. The user can still type. */
  locked?: boolean
  /** The id of the element with the reason why no question can be sent. Screen readers read it with the field and with Send. */
  lockedBy?: string | undefined
  field: RefObject<HTMLTextAreaElement | null>
  className: string | undefined
  /** The initial text of the field. */
  unsent?: string
  /** Called with the new text after each change, and with '' after sending. */
  onUnsent?: (question: string) => void
  onAsk: (question: string) => void
  onStop: () => void
  /** Content above the field; `below` is content below it. */
  above?: ReactNode
  below?: ReactNode
}

/** A text field for a question. Enter sends the question, Shift+Enter inserts a line break, and Escape stops the answer. */
export function QuestionBox({
  placeholder,
  longest,
  busy,
  stopping = false,
  lockedBy,
  locked = lockedBy !== undefined,
  field,
  className,
  unsent = '',
  onUnsent,
  onAsk,
  onStop,
  above,
  below,
}: QuestionBoxProps) {
  const [question, setQuestion] = useState(unsent)
  const change = (next: string) => {
    setQuestion(next)
    onUnsent?.(next)
  }
  const send = () => {
    if (busy || locked || !question.trim()) return
    onAsk(question)
    change('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && busy && !stopping) return onStop()
    // Input methods use Enter to accept a composition.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className={cn(className)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {above}
      <div className={styles.questionBox}>
        <textarea
          ref={field}
          rows={1}
          aria-label="Question"
          aria-describedby={lockedBy}
          placeholder={placeholder}
          maxLength={longest}
          value={question}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {busy ? (
          // Different keys: if React reused the Stop button as Send, the same click would submit the form.
          <Button key="stop" disabled={stopping} onClick={onStop}>
            <Square aria-hidden className={styles.stopIcon} />
            Stop
          </Button>
        ) : (
          <Button
            key="send"
            type="submit"
            variant="primary"
            disabled={locked || !question.trim()}
            aria-describedby={lockedBy}
          >
            Send
          </Button>
        )}
      </div>
      {below}
    </form>
  )
}
