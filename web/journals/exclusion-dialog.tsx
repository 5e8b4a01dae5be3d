import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import { exclusionInput, OPENALEX_ID_REQUIRED } from '#shared/contract/journals.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { useExclude } from './queries.ts'

/** The dialog that excludes a journal from the catalog by its OpenAlex ID. The journal does not have to be in the catalog. */
export function ExclusionDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const excluding = useExclude()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Exclude a journal"
      about="An excluded journal appears in no list, and updates do not restore it."
      locked={excluding.isPending}
    >
      <ExclusionForm excluding={excluding} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function ExclusionForm({ excluding, onDone }: { excluding: ReturnType<typeof useExclude>; onDone: () => void }) {
  const [id, setId] = useState('')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = exclusionInput.safeParse({ openalex_id: id }).error?.issues[0]?.message
    setError(wrong)
    if (wrong) {
      if (wrong === OPENALEX_ID_REQUIRED) toast({ title: 'Validation Error', description: wrong, destructive: true })
      return
    }
    whenDone(excluding.mutateAsync({ openalex_id: id, reason }), {
      onSuccess: (entry) => {
        toast({ title: 'Journal excluded', description: entry.journal_name })
        onDone()
      },
      onError: (failure) =>
        toast({
          title: 'Failed to add journal to exclusion list',
          description: messageOf(failure),
          destructive: true,
        }),
    })
  }
  return (
    <form noValidate onSubmit={save}>
      <div className="mt-4.5 flex flex-col gap-4">
        <Field label="OpenAlex ID" hint="For example S137773608, or the journal’s address at OpenAlex" error={error}>
          {(ids) => <Input {...ids} value={id} onChange={({ target }) => setId(target.value)} />}
        </Field>
        <Field label="Reason" hint="Optional">
          {(ids) => <Input {...ids} value={reason} onChange={({ target }) => setReason(target.value)} />}
        </Field>
      </div>
      <DialogActions>
        <Button variant="ghost" disabled={excluding.isPending} onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={excluding.isPending}>
          {excluding.isPending ? 'Excluding...' : 'Exclude'}
        </Button>
      </DialogActions>
    </form>
  )
}
