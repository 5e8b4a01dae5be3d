import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { copyCount, type CopyCount } from '#shared/contract/bulk-documents.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { projectsQuery } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

interface Copied {
  rows: readonly Pick<DocumentRow, 'id' | 'project_id'>[]
  onClose: () => void
}

/** Asks for another project of the user and copies the documents to it. */
export function CopyDialog({ rows, onClose }: Copied) {
  const navigate = useNavigate()
  const [target, setTarget] = useState<string>()
  const projects = useQuery(projectsQuery)
  const copying = useMutation({
    mutationFn: (project_id: string) =>
      request(api.documentsCopy(), {
        method: 'POST',
        body: { document_ids: rows.map(({ id }) => id), project_id },
        schema: one(copyCount),
      }),
  })
  const others = projects.data?.filter(({ id, may }) => id !== rows[0]?.project_id && may.includes('edit')) ?? []
  const copy = (project: Project) =>
    whenDone(copying.mutateAsync(project.id), {
      onSuccess: (result) => {
        toast(resultOf(result, project, (to) => void navigate({ to })))
        onClose()
      },
      onError: (error) =>
        toast({ title: 'The documents could not be copied', description: messageOf(error), destructive: true }),
    })
  const chosen = others.find(({ id }) => id === target)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={copying.isPending}
      title={`Copy ${counted(rows.length, 'document')} to another project`}
      about="The copies have the file, reference, text, analysis and tags. Later changes of one do not change the other."
    >
      <Field
        label="Project"
        hint={projects.data && others.length === 0 ? 'You have no other project to edit.' : undefined}
      >
        {(ids) => (
          <Select
            {...ids}
            value={target}
            onChange={setTarget}
            placeholder="Choose a project"
            disabled={copying.isPending || others.length === 0}
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </Field>
      <DialogActions>
        <Button variant="ghost" disabled={copying.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="primary"
          disabled={!chosen || copying.isPending}
          onClick={() => (chosen ? copy(chosen) : undefined)}
        >
          {copying.isPending ? 'Copying…' : 'Copy'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function resultOf({ count, present, missing }: CopyCount, { name, address }: Project, show: (path: string) => void) {
  const left = [
    present.length > 0 ? `${name} has the files of ${present.length} already.` : '',
    missing.length > 0 ? `${missing.length} had been deleted.` : '',
  ]
  return {
    title: `${counted(count, 'document')} copied to ${name}`,
    description: left.filter(Boolean).join(' '),
    action: { label: 'Show', run: () => show(pages.documents(address)) },
  }
}
