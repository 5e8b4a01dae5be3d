import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '#shared/contract/projects.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { undoDocumentsOf } from '#web/trash/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { useDeleteAllDocuments, useReassignDocuments } from './changes.ts'
import { projectsQuery } from './queries.ts'

const NONE = 'none'
const TABS = [
  { value: 'reassign', label: 'Reassign documents' },
  { value: 'delete', label: 'Delete all documents' },
] as const

interface Manage {
  project: Project
  documentCount: number
  /** Reads and returns the number of documents after a failure; `fallback` if that fails. */
  recount: (fallback: number) => Promise<number>
  onDone: () => void
}

/**
 * The dialog before the deletion of a project with documents. It asks whether to move the documents (to another project or to
 * none) or to delete them. `onDone` is called when the project contains no documents.
 */
export function ManageDocumentsDialog({
  open,
  onOpenChange,
  ...manage
}: Manage & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [busy, setBusy] = useState(false)
  const [tab, setTab] = useState<(typeof TABS)[number]['value']>('reassign')
  const { project, documentCount } = manage
  const close = () => onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      locked={busy}
      title="Manage Documents"
      about={`“${project.name}” has ${counted(documentCount, 'document')}. A project can be deleted when it is empty.`}
    >
      <div className="mt-4.5">
        <Tabs value={tab} onChange={setTab} tabs={TABS} label="What to do with the documents">
          <TabPanel value="reassign">
            <Reassign {...manage} onBusy={setBusy} onCancel={close} />
          </TabPanel>
          <TabPanel value="delete">
            <DeleteAll {...manage} onBusy={setBusy} onCancel={close} />
          </TabPanel>
        </Tabs>
      </div>
    </Dialog>
  )
}

interface Panel extends Manage {
  onBusy: (busy: boolean) => void
  onCancel: () => void
}

function Reassign({ project, documentCount, recount, onDone, onBusy, onCancel }: Panel) {
  const [target, setTarget] = useState<string>()
  const projects = useQuery(projectsQuery)
  const moving = useReassignDocuments()
  const [moved, setMoved] = useState(0)
  const others = projects.data?.filter((other) => other.id !== project.id && other.may.includes('edit')) ?? []
  const move = () => {
    onBusy(true)
    const places = { from_project_id: project.id, project_id: target === NONE ? null : target! }
    let done = 0
    const onMoved = (count: number) => setMoved((done = count))
    onMoved(0)
    whenDone(moving.mutateAsync({ ...places, onMoved }), {
      onSuccess: ({ count }) => {
        toast({ title: `Successfully reassigned ${count} documents` })
        onDone()
      },
      onError: async (error) => {
        const left = await recount(documentCount - done)
        // The documents were moved, but the response was lost.
        if (left === 0) {
          toast({ title: `Successfully reassigned ${documentCount} documents` })
          return onDone()
        }
        toast({
          title: `Failed to reassign ${left} of ${documentCount} documents`,
          description: messageOf(error),
          destructive: true,
        })
      },
      onSettled: () => onBusy(false),
    })
  }
  return (
    <div className="grid gap-4 pt-4">
      <Field
        label="Move all documents to"
        hint={
          target === NONE
            ? 'Documents without a project are listed at the bottom of the projects page, where you can move them to a project.'
            : 'They keep their text, analysis and index.'
        }
      >
        {(ids) => (
          <Select
            {...ids}
            value={target}
            onChange={setTarget}
            placeholder="Choose a project"
            disabled={moving.isPending}
            options={[
              ...others.map(({ id, name }) => ({ value: id, label: name })),
              { value: NONE, label: 'No project' },
            ]}
          />
        )}
      </Field>
      <DialogActions>
        <Button variant="ghost" disabled={moving.isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="primary" disabled={!target || moving.isPending} onClick={move}>
          {moving.isPending
            ? `Reassigning...${moved > 0 ? ` ${moved} of ${documentCount}` : ''}`
            : `Reassign ${counted(documentCount, 'document')}`}
        </Button>
      </DialogActions>
    </div>
  )
}

function DeleteAll({ project, documentCount, recount, onDone, onBusy, onCancel }: Panel) {
  const deleting = useDeleteAllDocuments()
  const remove = () => {
    onBusy(true)
    whenDone(deleting.mutateAsync(project.id), {
      onSuccess: ({ count, deleted_at }) => {
        const action = undoDocumentsOf(project.id, deleted_at)
        if (count > 0) toast({ title: `Successfully deleted ${count} documents`, action })
        else toast({ title: 'No documents to delete', destructive: true })
        if (count > 0) onDone()
        else onCancel()
      },
      onError: async (error) => {
        // Without documents left, only the response was lost.
        if ((await recount(documentCount)) === 0) return onDone()
        toast({ title: 'Failed to fetch documents for deletion', description: messageOf(error), destructive: true })
      },
      onSettled: () => onBusy(false),
    })
  }
  return (
    <div className="grid gap-4 pt-4">
      <p>
        {documentCount === 1
          ? `The document of “${project.name}” is deleted with its PDF file, analysis and answers’ sources. It`
          : `${counted(documentCount, 'document')} of “${project.name}” are deleted with their PDF files, analyses and answers’ sources. They`}{' '}
        can be restored for {TRASH_DAYS} days.
      </p>
      <DialogActions>
        <Button variant="ghost" disabled={deleting.isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="destructive" disabled={deleting.isPending} onClick={remove}>
          {deleting.isPending ? 'Deleting...' : `Delete ${counted(documentCount, 'document')}`}
        </Button>
      </DialogActions>
    </div>
  )
}
