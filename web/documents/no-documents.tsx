import { useMutation } from '@tanstack/react-query'
import { FileText, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { addSample } from './queries.ts'
import { isFiltered } from './search.ts'
import type { DocumentsSearch } from './search.ts'

/** Shown in place of an empty list, if no document matches the filters or the project has no documents. */
export function NoDocuments({
  project,
  search,
  head,
  onUpload,
  onChange,
}: {
  project: Project
  search: DocumentsSearch
  head: ReactNode
  onUpload: () => void
  onChange: (patch: Partial<DocumentsSearch>) => void
}) {
  const mayEdit = useMay('edit')
  const filtered = isFiltered(search)
  if (search.search?.trim())
    return (
      <EmptyState
        head={head}
        title="No documents found matching your search."
        about={
          filtered
            ? 'The selected filters apply as well.'
            : 'Titles, filenames, journals, DOIs, keywords and the extracted text are searched.'
        }
        actions={<Button onClick={() => onChange({ search: undefined })}>Clear search</Button>}
      />
    )
  if (filtered)
    return (
      <EmptyState
        head={head}
        title="No documents found."
        about="No document of this project matches all selected filters."
        actions={
          <Button onClick={() => onChange({ tag: undefined, status: undefined, evidence: undefined })}>
            Show all documents
          </Button>
        }
      />
    )
  return (
    <EmptyState
      head={head}
      title="No documents found."
      about={
        mayEdit
          ? `Papers you add to ${project.name} are listed here. Drop PDF files on this page, or choose them from your device.`
          : `The papers of ${project.name} are listed here.`
      }
      actions={
        mayEdit ? (
          <>
            <Button onClick={onUpload}>
              <Upload aria-hidden />
              Upload Document
            </Button>
            <AddSample projectId={project.id} />
          </>
        ) : null
      }
    />
  )
}

/** Adds the sample paper that is included in Lectern. */
function AddSample({ projectId }: { projectId: string }) {
  const add = useMutation({
    mutationFn: () => addSample(projectId),
    onSuccess: () => toast({ title: 'Success', description: 'sample-paper.pdf uploaded successfully' }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: `Failed to upload sample-paper.pdf: ${messageOf(error)}`,
        destructive: true,
      }),
  })
  return (
    <Button variant="ghost" disabled={add.isPending} onClick={() => add.mutate()}>
      <FileText aria-hidden />
      {add.isPending ? 'Adding...' : 'Add a sample paper'}
    </Button>
  )
}
