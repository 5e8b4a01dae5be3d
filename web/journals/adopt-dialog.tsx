import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAddress } from '#shared/contract/journals.ts'
import type { Journal } from '#shared/contract/journals.ts'
import { pages } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { refreshJournals, useAdoptJournal } from './queries.ts'

/**
 * The dialog that makes a journal of one user visible to all users: it adds the journal to the catalog. It asks for the public
 * URL of the feed of the journal first.
 */
export function AdoptDialog({
  journal,
  open,
  onOpenChange,
}: {
  journal: Journal
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const [address, setAddress] = useState(journal.rss_feed_url ?? '')
  const [error, setError] = useState<string>()
  const adopting = useAdoptJournal(journal.id)
  const navigate = useNavigate()
  const close = (next: boolean) => {
    onOpenChange(next)
    setError(undefined)
  }
  const adopt = () => {
    if (readAddress(address) === null) return setError('An address is required')
    whenDone(adopting.mutateAsync({ rss_feed_url: address }), {
      onSuccess: (adopted) => {
        toast({ title: 'Journal adopted', description: adopted.name })
        close(false)
        void navigate({ to: pages.adminJournal(adopted.id) }).then(refreshJournals)
      },
      onError: (failure) => setError(messageOf(failure)),
    })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={`Adopt ${journal.name}`}
      about="Everyone on this installation will see the journal, this address and the articles."
      locked={adopting.isPending}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          adopt()
        }}
      >
        <div className="mt-4.5">
          <Field
            label="Address of the feed"
            hint={
              journal.rss_feed_cut
                ? 'The person’s own address has a query, which is hidden because it may be a secret. Enter an address that everyone may use.'
                : 'The feed, or a home page that names it.'
            }
            error={error}
          >
            {(ids) => (
              <Input {...ids} inputMode="url" value={address} onChange={(event) => setAddress(event.target.value)} />
            )}
          </Field>
        </div>
        <DialogActions>
          <Button variant="ghost" disabled={adopting.isPending} onClick={() => close(false)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={adopting.isPending}>
            {adopting.isPending ? 'Reading the address…' : 'Adopt'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
