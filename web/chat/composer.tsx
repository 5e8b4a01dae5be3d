import { type KeyboardEvent, type RefObject, useState } from 'react'
import { Button } from '#web/ui/button.tsx'

const LONGEST_QUESTION = 4000

interface ComposerProps {
  processing: boolean
  model: string
  field: RefObject<HTMLTextAreaElement | null>
  onAsk: (question: string) => void
  onStop: () => void
}

/** The question bar. Enter sends, Shift+Enter breaks the line; while an answer is being written it can be stopped. */
export function Composer({ processing, model, field, onAsk, onStop }: ComposerProps) {
  const [question, setQuestion] = useState('')
  const send = () => {
    if (processing || !question.trim()) return
    onAsk(question)
    setQuestion('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses Enter to accept a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="chat-box">
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
          // Keys keep them two elements: a Stop that turned into Send within its own click would send.
          <Button key="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button key="send" type="submit" variant="primary" disabled={!question.trim()}>
            Send
          </Button>
        )}
      </div>
      <p className="chat-hint">
        <span>Enter sends</span>
        <span>{model}</span>
      </p>
    </form>
  )
}
