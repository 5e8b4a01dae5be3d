import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { api } from '#shared/contract/paths.ts'
import { passwordLink, type Person } from '#shared/contract/people.ts'
import { withProof } from '#web/auth/index.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'

/**
 * Creates a link that lets `person` choose a new password, and shows the link once. The dialog is closed if `person` is null.
 */
export function PasswordLinkDialog({ person, onClose }: { person: Person | null; onClose: () => void }) {
  return (
    <Dialog
      open={person !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="New password link"
      about="The link works once within 24 hours. Earlier links of the account stop working."
    >
      {person ? <LinkForm key={person.id} person={person} onClose={onClose} /> : null}
    </Dialog>
  )
}

function LinkForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const create = useMutation({
    mutationFn: () =>
      withProof(() => request(api.adminPersonPasswordLink(person.id), { method: 'POST', schema: one(passwordLink) })),
    onError: (error) => toast({ title: 'Error creating the link', description: messageOf(error), destructive: true }),
  })
  if (!create.data)
    return (
      <>
        <p className="mt-4 wrap-anywhere">
          Create a link with which {person.email} chooses a new password. Give it to this person only.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={create.isPending} onClick={() => create.mutate()}>
            Create the link
          </Button>
        </DialogActions>
      </>
    )
  const { url } = create.data
  return (
    <>
      <Field label={`Link for ${person.email}`} hint="It is not shown again." className="mt-4">
        {(ids) => <Input {...ids} readOnly value={url} onFocus={(event) => event.target.select()} />}
      </Field>
      <DialogActions>
        <Button onClick={() => void copyText(url, 'Link copied')}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}
