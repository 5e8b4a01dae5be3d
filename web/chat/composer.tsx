import { type KeyboardEvent, type RefObject, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import styles from './chat.module.css'

const LONGEST_QUESTION = 4000

interface ComposerProps {
  processing: boolean
  model: string
  field: RefObject<HTMLTextAreaElement | null>
  onAsk: (question: string) => void
  onStop: () => void
}

/** The question bar. Enter sends, Shift+Enter inserts a line break. While an answer is streamed, it shows Stop. */
export function Composer({ processing, model, field, onAsk, onStop }: ComposerProps) {
  const [question, setQuestion] = useState('')
  const send = () => {
    if (processing || !question.trim()) return
    onAsk(question)
    setQuestion('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Input methods use Enter to accept a composition.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={styles.box}>
        <textarea
          ref={field}
          rows={1}
          aria-label="Question"
          placeholder="Ask about this paper"
          maxLength={LONGEST_QUESTION}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {processing ? (
          // Different keys: if React reused the Stop button as Send, the same click would submit the form.
          <Button key="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button key="send" type="submit" variant="primary" disabled={!question.trim()}>
            Send
          </Button>
        )}
      </div>
      <p className={styles.hint}>
        <span>Enter sends</span>
        <span>{model}</span>
      </p>
    </form>
  )
}
