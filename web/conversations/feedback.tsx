import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { type ConversationMessage, LONGEST_NOTE } from '#shared/contract/conversations.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Field, Textarea } from '#web/ui/field.tsx'
import styles from './answer.module.css'
import { sendFeedback } from './queries.ts'

type Opinion = NonNullable<ConversationMessage['feedback']>

/**
 * The buttons 'thumbs up' and 'thumbs down' for an answer. A pressed thumb opens a field for a note; the same thumb again
 * removes the feedback.
 */
export function Feedback({ message }: { message: ConversationMessage }) {
  const [opinion, setOpinion] = useState(message.feedback)
  const [note, setNote] = useState<string | null>(null)
  const save = async (next: Opinion | null) => {
    const before = opinion
    setOpinion(next)
    try {
      await sendFeedback(message.id, next)
      return true
    } catch (error) {
      setOpinion(before)
      toast({ title: 'The feedback could not be saved', description: messageOf(error), destructive: true })
      return false
    }
  }
  const choose = (helpful: boolean) => {
    const isSame = opinion?.helpful === helpful
    // The other thumb keeps the text of an open field.
    setNote(isSame ? null : (note ?? opinion?.note ?? ''))
    void save(isSame ? null : { helpful, note: opinion?.note ?? '' })
  }
  const saveNote = async () => {
    if (!opinion || !(await save({ ...opinion, note: note ?? '' }))) return
    setNote(null)
    toast({ title: 'Note saved' })
  }
  return (
    <>
      <span className={styles.thumbs}>
        <IconButton label="Good answer" aria-pressed={opinion?.helpful === true} onClick={() => choose(true)}>
          <ThumbsUp aria-hidden />
        </IconButton>
        <IconButton label="Poor answer" aria-pressed={opinion?.helpful === false} onClick={() => choose(false)}>
          <ThumbsDown aria-hidden />
        </IconButton>
      </span>
      {opinion && note !== null ? (
        <form
          className="mt-2 ml-2 max-w-(--measure) basis-full"
          onSubmit={(event) => {
            event.preventDefault()
            void saveNote()
          }}
        >
          <Field
            label={opinion.helpful ? 'What is good about it?' : 'What is wrong with it?'}
            hint="You can leave this empty."
          >
            {(ids) => (
              <Textarea
                {...ids}
                rows={2}
                maxLength={LONGEST_NOTE}
                value={note}
                onChange={({ target }) => setNote(target.value)}
              />
            )}
          </Field>
          <div className="mt-2 flex gap-2">
            <Button type="submit" size="sm">
              Save note
            </Button>
            <Button variant="ghost" size="sm" onClick={() => setNote(null)}>
              Close
            </Button>
          </div>
        </form>
      ) : null}
    </>
  )
}
