import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BulkCount, bulkCount } from '#shared/contract/bulk-documents.ts'
import { type DocumentsTags, TAGGED_AT_ONCE } from '#shared/contract/documents-tags.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
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
import { documentFiltersQuery } from './queries.ts'

/** Asks for tags to add to the documents and to remove from them. */
export function TagsDialog({
  projectId,
  rows,
  onClose,
}: {
  projectId: string
  rows: readonly DocumentRow[]
  onClose: () => void
}) {
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const tags = useQuery(documentFiltersQuery(projectId)).data?.tags.map(({ name }) => name) ?? []
  const ofRows = [...new Set(rows.flatMap(({ keywords }) => keywords))].toSorted((a, b) => a.localeCompare(b))
  const ids = rows.map(({ id }) => id)
  const changing = useMutation({ mutationFn: () => changeTags(ids, { add, remove }) })
  const save = () =>
    whenDone(changing.mutateAsync(), {
      onSuccess: ({ count, missing }) => {
        const description =
          missing.length > 0
            ? `${counted(missing.length, 'document')} could not be changed: deleted, or not yours to edit.`
            : undefined
        toast({ title: `Tags of ${counted(count, 'document')} changed`, description })
        onClose()
      },
      onError: (error) =>
        toast({ title: 'The tags could not be changed', description: messageOf(error), destructive: true }),
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
          Cancel
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

/** Changes the tags of documents in requests of a limited size, one after the other. */
async function changeTags(ids: readonly string[], tags: Pick<DocumentsTags, 'add' | 'remove'>): Promise<BulkCount> {
  const changed: BulkCount = { count: 0, missing: [] }
  try {
    for (let at = 0; at < ids.length; at += TAGGED_AT_ONCE) {
      const document_ids = ids.slice(at, at + TAGGED_AT_ONCE)
      const body: DocumentsTags = { document_ids, ...tags }
      const { count, missing } = await request(api.documentsTags(), {
        method: 'POST',
        body,
        schema: one(bulkCount),
      }).catch((error: unknown) => {
        // None of these documents exists.
        if (error instanceof ApiError && error.status === 404) return { count: 0, missing: document_ids }
        throw error
      })
      changed.count += count
      changed.missing.push(...missing)
    }
  } finally {
    refreshDocuments()
    void queryClient.invalidateQueries({ queryKey: ['tags'] })
  }
  return changed
}
