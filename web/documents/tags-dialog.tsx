import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type TagsChange, tagsChange } from '#shared/contract/bulk-documents.ts'
import { type DocumentsTags, TAGGED_AT_ONCE } from '#shared/contract/documents-tags.ts'
import { type DocumentRow, documentTitle } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError, messageOf, one, request } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { refreshDocuments } from '#web/lib/document-queries.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Alert } from '#web/ui/marks.tsx'
import { documentFiltersQuery } from './queries.ts'

/** The number of changed documents, and the documents that were not changed. */
type Outcome = Pick<TagsChange, 'count' | 'failed'>

/**
 * Asks for tags to add to the documents and to remove from them. If some documents are not changed, lists them with the
 * reasons, and the next change is only for them.
 */
export function TagsDialog({
  projectId,
  rows: selected,
  onClose,
}: {
  projectId: string
  rows: readonly DocumentRow[]
  onClose: () => void
}) {
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const [outcome, setOutcome] = useState<Outcome>()
  const rows = outcome ? selected.filter(({ id }) => outcome.failed.some((failure) => failure.id === id)) : selected
  const tags = useQuery(documentFiltersQuery(projectId)).data?.tags.map(({ name }) => name) ?? []
  const ofRows = [...new Set(rows.flatMap(({ keywords }) => keywords))].toSorted((a, b) => a.localeCompare(b))
  const changing = useMutation({
    mutationFn: () =>
      changeTags(
        rows.map(({ id }) => id),
        { add, remove },
      ),
  })
  const save = () =>
    whenDone(changing.mutateAsync(), {
      onSuccess: (changed) => {
        if (changed.failed.length > 0) return setOutcome(changed)
        toast({ title: changedText(changed.count) })
        onClose()
      },
    })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={changing.isPending}
      title={`Tags of ${counted(rows.length, 'document')}`}
      about="The other tags of the documents stay."
    >
      <div className="mt-4.5 grid gap-4">
        {outcome ? <NotChanged outcome={outcome} rows={rows} /> : null}
        <Field label="Add">
          {(field) => (
            <ChipInput
              ids={field}
              values={add}
              onChange={setAdd}
              suggestions={tags}
              matchesKnown
              placeholder="Type a tag and press Enter"
            />
          )}
        </Field>
        {ofRows.length > 0 ? (
          <fieldset>
            <legend className="mb-1.5 text-sm font-medium">Remove</legend>
            <div className="flex max-h-40 flex-wrap gap-x-5 gap-y-2 overflow-y-auto">
              {ofRows.map((tag) => (
                <label key={tag} className="flex items-center gap-2 wrap-anywhere">
                  <Checkbox
                    checked={remove.includes(tag)}
                    onChange={(checked) => setRemove(checked ? [...remove, tag] : remove.filter((one) => one !== tag))}
                  />
                  {tag}
                </label>
              ))}
            </div>
          </fieldset>
        ) : null}
      </div>
      <DialogActions>
        <Button variant="ghost" disabled={changing.isPending} onClick={onClose}>
          {outcome ? 'Close' : 'Cancel'}
        </Button>
        <Button
          variant="primary"
          disabled={rows.length === 0 || add.length + remove.length === 0 || changing.isPending}
          onClick={save}
        >
          {changing.isPending ? 'Changing…' : 'Change tags'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const changedText = (count: number) => `Tags of ${counted(count, 'document')} changed`

/** The number of changed documents, and the titles of the others with the reason. */
const NotChanged = ({ outcome: { count, failed }, rows }: { outcome: Outcome; rows: readonly DocumentRow[] }) => (
  <div role="alert">
    <Alert>
      {changedText(count)}. {counted(failed.length, 'document')} not changed:
    </Alert>
    {[...Map.groupBy(failed, ({ reason }) => reason)].map(([reason, failures]) => (
      <div key={reason} className="mt-2">
        <b>{reason}</b>
        <ul className="max-h-40 list-disc overflow-y-auto pl-5">
          {rows
            .filter(({ id }) => failures.some((failure) => failure.id === id))
            .map((row) => (
              <li key={row.id}>{documentTitle(row)}</li>
            ))}
        </ul>
      </div>
    ))}
  </div>
)

const MISSING = 'Deleted, or not yours to edit.'

/**
 * Changes the tags of documents in requests of a limited size, one after the other. The result has the documents of a failed
 * request as `failed`.
 */
async function changeTags(ids: readonly string[], tags: Pick<DocumentsTags, 'add' | 'remove'>): Promise<Outcome> {
  const changed: Outcome = { count: 0, failed: [] }
  for (let at = 0; at < ids.length; at += TAGGED_AT_ONCE) {
    const document_ids = ids.slice(at, at + TAGGED_AT_ONCE)
    const { count, missing, failed } = await request(api.documentsTags(), {
      method: 'POST',
      body: { document_ids, ...tags } satisfies DocumentsTags,
      schema: one(tagsChange),
    }).catch((error: unknown): TagsChange => {
      const reason = error instanceof ApiError && error.status === 404 ? MISSING : messageOf(error)
      return { count: 0, missing: [], failed: document_ids.map((id) => ({ id, reason })) }
    })
    changed.count += count
    changed.failed.push(...failed, ...missing.map((id) => ({ id, reason: MISSING })))
  }
  refreshDocuments()
  void queryClient.invalidateQueries({ queryKey: ['tags'] })
  return changed
}
