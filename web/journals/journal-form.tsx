import { useId, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { journal as journalRow } from '#shared/contract/journals.ts'
import type { Journal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { changedValues, useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import styles from './journals.module.css'
import { useJournalCall } from './queries.ts'
import { COUNTS, wrongFields } from './wrong-fields.ts'

/** The labels of the single-line fields. */
const LINES = {
  name: 'Name',
  publisher: 'Publisher',
  issn_l: 'ISSN-L',
  homepage_url: 'Home page',
  rss_feed_url: 'RSS feed',
  openalex_id: 'OpenAlex ID',
  works_count: 'Works',
  citations_count: 'Citations',
  h_index: 'h-index',
  i10_index: 'i10-index',
} as const
type Line = keyof typeof LINES
const NAMES = Object.keys(LINES) as Line[]
const ADDRESSES: ReadonlySet<Line> = new Set(['homepage_url', 'rss_feed_url', 'openalex_id'])

const isCount = (name: Line) => (COUNTS as readonly Line[]).includes(name)

type Values = Record<Line | 'description', string> & { is_open_access: boolean }
const LABELS: Readonly<Record<keyof Values, string>> = {
  ...LINES,
  description: 'Description',
  is_open_access: 'Open access',
}
const valuesOf = (journal: Journal) =>
  ({
    ...Object.fromEntries(NAMES.map((name) => [name, String(journal[name] ?? '')])),
    description: journal.description ?? '',
    is_open_access: journal.is_open_access ?? false,
  }) as Values

/** The form that edits a journal. It sends only changed fields. The server completes URLs, for example with https://. */
export function JournalForm({ journal, onDone }: { journal: Journal; onDone: () => void }) {
  const [{ before, version }] = useState(() => ({ before: valuesOf(journal), version: journal.version }))
  const [values, setValues] = useState(before)
  const together = useSaveTogether<Values>(LABELS)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const openId = useId()
  const saving = useJournalCall(journal.id, api.adminJournal(journal.id), 'PATCH')

  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = wrongFields(before, values)
    setErrors(wrong)
    const [first] = Object.values(wrong)
    if (first) return toast({ title: 'Validation Error', description: first, destructive: true })
    const saved = together.save({
      before,
      mine: values,
      version,
      send: (change) => saving.mutateAsync({ ...changedValues(change.before, change.mine), version: change.version }),
      read: (current) => {
        const theirs = journalRow.parse(current)
        return { values: valuesOf(theirs), version: theirs.version }
      },
    })
    whenDone(saved, {
      onSuccess: (journal) => {
        if (!journal) return
        toast({ title: 'Journal updated' })
        onDone()
      },
      onError: (error) => {
        if (error instanceof ApiError) setErrors(error.fields)
        toast({ title: 'Failed to update journal details', description: messageOf(error), destructive: true })
      },
    })
  }
  const line = (name: Line) => (
    <Field
      key={name}
      label={LINES[name]}
      error={errors[name]}
      className={
        isCount(name) || name === 'issn_l' ? undefined : name === 'publisher' ? styles.threeColumns : styles.fullWidth
      }
    >
      {(ids) => (
        <Input
          {...ids}
          inputMode={isCount(name) ? 'numeric' : ADDRESSES.has(name) ? 'url' : 'text'}
          value={values[name]}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <form noValidate className={styles.journalForm} aria-label="Edit journal" onSubmit={save}>
      {together.dialog}
      {NAMES.map(line)}
      <Field label="Description" className={styles.fullWidth}>
        {(ids) => (
          <Textarea
            {...ids}
            rows={3}
            value={values.description}
            onChange={({ target }) => setValues({ ...values, description: target.value })}
          />
        )}
      </Field>
      <div className={cn(styles.fullWidth, 'flex items-center gap-2.5')}>
        <Checkbox
          id={openId}
          checked={values.is_open_access}
          onChange={(isOpen) => setValues({ ...values, is_open_access: isOpen })}
        />
        <label htmlFor={openId}>Open access</label>
      </div>
      {journal.openalex_id ? (
        <p className={cn(styles.details, styles.fullWidth, 'text-muted-foreground')}>
          Updates from OpenAlex do not change fields that you edit here.
        </p>
      ) : null}
      <div className={cn(styles.fullWidth, 'flex gap-2')}>
        <Button type="submit" variant="primary" disabled={saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
        <Button variant="ghost" disabled={saving.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
