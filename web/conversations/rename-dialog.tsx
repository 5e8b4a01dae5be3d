import { useState } from 'react'
import { type Conversation, conversation as conversationRow, LONGEST_TITLE } from '#shared/contract/conversations.ts'
import { messageOf } from '#web/lib/api.ts'
import { changedValues, useSaveTogether } from '#web/lib/save-together.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { useEditConversation } from './queries.ts'

const LABELS = { title: 'Name' }
const valuesOf = ({ title }: Conversation) => ({ title })

/** Renames a conversation. If another device renamed it since the dialog opened, the user chooses between both names. */
export function RenameDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [opened] = useState(conversation)
  const [title, setTitle] = useState(opened.title)
  const [error, setError] = useState<string>()
  const edit = useEditConversation(conversation)
  const together = useSaveTogether<ReturnType<typeof valuesOf>>(LABELS)
  const save = () => {
    setError(undefined)
    whenDone(
      together.save({
        before: valuesOf(opened),
        mine: { title: title.trim() },
        version: opened.version,
        send: ({ before, mine, version }) => edit.mutateAsync({ ...changedValues(before, mine), version }),
        read: (current) => {
          const theirs = conversationRow.parse(current)
          return { values: valuesOf(theirs), version: theirs.version }
        },
      }),
      {
        onSuccess: (saved) => {
          if (saved) onClose()
        },
        onError: (failure) => setError(messageOf(failure)),
      },
    )
  }
  return (
    <Dialog open onOpenChange={onClose} title="Rename the conversation">
      {together.dialog}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="Name" error={error}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              maxLength={LONGEST_TITLE}
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={!title.trim() || edit.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
