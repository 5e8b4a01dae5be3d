import { useId, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { JOURNAL_NAME_REQUIRED } from '#shared/contract/journals.ts'
import type { Journal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import styles from './journals.module.css'
import { useJournalCall } from './queries.ts'
import type { JournalFields } from './queries.ts'

/** Single-line fields. */
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
const COUNTS: ReadonlySet<Line> = new Set(['works_count', 'citations_count', 'h_index', 'i10_index'])
const NOT_WHOLE = 'This must be a whole number'

type Lines = Record<Line, string>
const linesOf = (journal: Journal) =>
  Object.fromEntries(NAMES.map((name) => [name, String(journal[name] ?? '')])) as Lines

/** Edits a journal. Only changed fields are sent; the server completes the addresses. */
export function JournalForm({ journal, onDone }: { journal: Journal; onDone: () => void }) {
  const [before] = useState(() => linesOf(journal))
  const [lines, setLines] = useState(before)
  const [description, setDescription] = useState(journal.description ?? '')
  const [isOpen, setOpen] = useState(journal.is_open_access ?? false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const openId = useId()
  const saving = useJournalCall(journal.id, api.adminJournal(journal.id), 'PATCH')

  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong: Record<string, string> = {}
    if (lines.name.trim() === '') wrong['name'] = JOURNAL_NAME_REQUIRED
    for (const name of COUNTS) if (!/^\s*\d*\s*$/.test(lines[name])) wrong[name] = NOT_WHOLE
    setErrors(wrong)
    const [first] = Object.values(wrong)
    if (first) return toast({ title: 'Validation Error', description: first, destructive: true })
    const changed: JournalFields = Object.fromEntries(
      NAMES.filter((name) => lines[name] !== before[name]).map((name) => [name, lines[name]]),
    )
    const fields: JournalFields = {
      ...changed,
      ...(description === (journal.description ?? '') ? {} : { description }),
      ...(isOpen === (journal.is_open_access ?? false) ? {} : { is_open_access: isOpen }),
    }
    whenDone(saving.mutateAsync(fields), {
      onSuccess: () => {
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
        COUNTS.has(name) || name === 'issn_l'
          ? undefined
          : name === 'publisher'
            ? styles.threeColumns
            : styles.fullWidth
      }
    >
      {(ids) => (
        <Input
          {...ids}
          inputMode={COUNTS.has(name) ? 'numeric' : ADDRESSES.has(name) ? 'url' : 'text'}
          value={lines[name]}
          onChange={({ target }) => setLines({ ...lines, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <form noValidate className={styles.journalForm} aria-label="Edit journal" onSubmit={save}>
      {NAMES.map(line)}
      <Field label="Description" className={styles.fullWidth}>
        {(ids) => (
          <Textarea {...ids} rows={3} value={description} onChange={({ target }) => setDescription(target.value)} />
        )}
      </Field>
      <div className={cn(styles.fullWidth, 'flex items-center gap-2.5')}>
        <Checkbox id={openId} checked={isOpen} onChange={setOpen} />
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
