import { useState } from 'react'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { useAddJournal } from './queries.ts'

/**
 * The dialog in which administrators add a journal and its feed to the catalog. If the given URL is a home page, the server
 * finds the feed on it.
 */
export function AddJournalDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [errors, setErrors] = useState<{ name?: string; url?: string }>({})
  const adding = useAddJournal()
  const close = (next: boolean) => {
    onOpenChange(next)
    if (next) return
    setName('')
    setUrl('')
    setErrors({})
  }
  const save = () => {
    const wrong = {
      ...(name.trim() ? {} : { name: 'Journal name is required' }),
      ...(url.trim() ? {} : { url: 'An address is required' }),
    }
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    whenDone(adding.mutateAsync({ name, url }), {
      onSuccess: (journal) => {
        toast({ title: 'Journal added', description: journal.name })
        close(false)
      },
      onError: (error) =>
        error instanceof ApiError && error.fields['name']
          ? setErrors({ name: error.fields['name'] })
          : setErrors({ url: messageOf(error) }),
    })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Add a journal feed"
      about="For everyone on this installation."
      locked={adding.isPending}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className="mt-4.5 flex flex-col gap-4">
          <Field label="Journal name" error={errors.name}>
            {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
          <Field
            label="Address"
            hint="Of the feed or of the journal’s home page, where the server finds the feed."
            error={errors.url}
          >
            {(ids) => <Input {...ids} inputMode="url" value={url} onChange={(event) => setUrl(event.target.value)} />}
          </Field>
        </div>
        <DialogActions>
          <Button variant="ghost" disabled={adding.isPending} onClick={() => close(false)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={adding.isPending}>
            {adding.isPending ? 'Reading the address…' : 'Add journal'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
