import { useId, useState } from 'react'
import { LONGEST_SEARCH_NAME } from '#shared/contract/saved-searches.ts'
import { messageOf } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { OptionRow } from '#web/ui/dropdown-menu.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import styles from './search.module.css'

/** The values in the form of a saved search. `notify`: the server sends e-mails about new matches. */
export interface SavedValues {
  name: string
  notify: boolean
}

/** The form of a saved search: its name, and whether the server sends e-mails about new matches. */
export function SavedSearchForm({
  name: before,
  notify: wasOn,
  onSave,
  onDelete,
}: SavedValues & {
  onSave: (values: SavedValues) => Promise<void>
  onDelete?: () => Promise<void>
}) {
  const { mail_enabled } = useSite()
  const id = useId()
  const [name, setName] = useState(before)
  const [notify, setNotify] = useState(wasOn)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    await work().catch((failure: unknown) => setError(messageOf(failure)))
    setBusy(false)
  }
  return (
    <form
      className={styles.savedForm}
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => onSave({ name: name.trim(), notify }))
      }}
    >
      <Field label="Name" error={error}>
        {(ids) => (
          <Input
            {...ids}
            value={name}
            maxLength={LONGEST_SEARCH_NAME}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {mail_enabled ? (
        <OptionRow className={undefined}>
          <Checkbox id={id} checked={notify} onChange={setNotify} />
          <label htmlFor={id}>E-mail me about new matches</label>
        </OptionRow>
      ) : null}
      <div className="flex justify-between gap-2">
        {onDelete ? (
          <Button variant="danger" size="sm" disabled={isBusy} onClick={() => void run(onDelete)}>
            Delete
          </Button>
        ) : (
          <span />
        )}
        <Button type="submit" variant="primary" size="sm" disabled={isBusy || name.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  )
}
