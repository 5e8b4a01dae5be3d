import type { Journal, OpenAlexField } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './journals.module.css'
import { useJournalCall } from './queries.ts'

/** The names of the fields as they are written within a sentence. */
const WORDS: Record<OpenAlexField, string> = {
  name: 'name',
  publisher: 'publisher',
  issn_l: 'ISSN-L',
  works_count: 'works',
  citations_count: 'citations',
  is_open_access: 'open access',
  homepage_url: 'home page',
  h_index: 'h-index',
  i10_index: 'i10-index',
  works_api_url: 'works at OpenAlex',
}

const listed = (words: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)

/**
 * Lists the fields that administrators edited, which updates from OpenAlex do not change. A button for each field permits such
 * updates again. Renders nothing if no field was edited or the journal has no OpenAlex ID.
 */
export function EditedFields({ journal }: { journal: Journal }) {
  const saving = useJournalCall(journal.id, api.adminJournal(journal.id), 'PATCH')
  if (!journal.openalex_id || journal.edited_fields.length === 0) return null
  const giveBack = (field: OpenAlexField) =>
    whenDone(saving.mutateAsync({ give_back: [field] }), {
      onSuccess: () =>
        toast({ title: `OpenAlex updates the ${WORDS[field]} again`, description: 'From the next update on.' }),
      onError: (error) =>
        toast({ title: 'Failed to update journal details', description: messageOf(error), destructive: true }),
    })
  return (
    <section className={styles.editedFields} aria-label="Edited fields">
      <p>
        Edited by administrators: {listed(journal.edited_fields.map((field) => WORDS[field]))}. Updates from OpenAlex do
        not change them.
      </p>
      <div>
        {journal.edited_fields.map((field) => (
          <Button key={field} size="sm" disabled={saving.isPending} onClick={() => giveBack(field)}>
            Give {WORDS[field]} back to OpenAlex
          </Button>
        ))}
      </div>
    </section>
  )
}
