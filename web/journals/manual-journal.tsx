import { useState } from 'react'
import type { SyntheticEvent } from 'react'
import { JOURNAL_NAME_REQUIRED } from '#shared/contract/journals.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { useAddJournal } from './queries.ts'

const EMPTY = { name: '', publisher: '', issn_l: '' }

/** The tab in which a user types the data of a new journal. Only the name is required. */
export function ManualJournal({ onBusy, onClose }: { onBusy: (busy: boolean) => void; onClose: () => void }) {
  const [fields, setFields] = useState(EMPTY)
  const [error, setError] = useState<string>()
  const adding = useAddJournal()
  const set = (name: keyof typeof EMPTY) => (event: { target: { value: string } }) =>
    setFields({ ...fields, [name]: event.target.value })
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    setError(undefined)
    if (fields.name.trim() === '') {
      setError(JOURNAL_NAME_REQUIRED)
      toast({ title: 'Validation Error', description: JOURNAL_NAME_REQUIRED, destructive: true })
      return
    }
    onBusy(true)
    await adding
      .mutateAsync(fields)
      .then(
        (added) => {
          toast({ title: 'Journal added', description: added.name })
          onClose()
        },
        (failure: unknown) =>
          toast({ title: 'Failed to add journal', description: messageOf(failure), destructive: true }),
      )
      .finally(() => onBusy(false))
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
      <Field label="Name" error={error}>
        {(ids) => <Input {...ids} value={fields.name} onChange={set('name')} />}
      </Field>
      <Field label="Publisher" hint="Optional">
        {(ids) => <Input {...ids} value={fields.publisher} onChange={set('publisher')} />}
      </Field>
      <Field label="ISSN-L" hint="Optional, in the form XXXX-XXXX">
        {(ids) => <Input {...ids} placeholder="XXXX-XXXX" value={fields.issn_l} onChange={set('issn_l')} />}
      </Field>
      <DialogActions>
        <Button variant="ghost" disabled={adding.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={adding.isPending}>
          {adding.isPending ? 'Adding...' : 'Add Journal'}
        </Button>
      </DialogActions>
    </form>
  )
}
