import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { Alert } from '#web/ui/marks.tsx'
import { FileSection } from './file-section.tsx'
import { ImportChoices } from './import-choices.tsx'
import { REFERENCE_EXTENSIONS } from './reference-extensions.ts'
import { type Choices, useImportFiles } from './use-import-files.ts'

const DEFAULTS: Choices = { join: true, keepKeys: true, fetch: false, groups: false, tags: [] }

/**
 * The dialog that imports reference files into the project. It shows a preview and the source of each file, and options for all
 * files. `dropped` are the files that are selected at the start.
 */
export function FileDialog({
  project,
  dropped,
  onClose,
}: {
  project: Project
  dropped?: readonly File[] | undefined
  onClose: () => void
}) {
  const queue = useImportFiles(project.id, dropped)
  const [choices, setChoices] = useState(DEFAULTS)
  const [isSent, setIsSent] = useState(false)
  const { files, count } = queue
  const isLeft = isSent && files.length > 0 && files.every(({ error }) => error)
  const hasSource = files.some(({ error, source }) => !error && (source.name || source.search || source.searchedOn))
  const leaving = useUnsavedWarning(hasSource || (choices.tags.length > 0 && (!isSent || files.length > 0)))
  const leave = () => leaving.leave(onClose)
  const submit = async () => {
    if (!(await queue.send(choices))) return setIsSent(true)
    leaving.allow()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={leave}
      wide="extra"
      locked={queue.sending}
      title="Import references"
      about={`Into ${project.name}${files.length > 0 ? ` · ${counted(files.length, 'file')}` : ''}`}
    >
      <div className="mt-3.5">
        <DropZone
          inline
          inputLabel="Reference files"
          accept={REFERENCE_EXTENSIONS.join(',')}
          disabled={queue.sending}
          onFiles={queue.add}
        >
          <Download aria-hidden />
          Drop BibTeX, RIS, PubMed, EndNote XML, CSL-JSON or CSV files
        </DropZone>
        {isLeft ? (
          <Alert role="alert">{counted(files.length, 'file')} not imported. Each file shows its reason.</Alert>
        ) : null}
        {files.map((entry) => (
          <FileSection key={entry.key} entry={entry} queue={queue} />
        ))}
        {queue.ready.length > 0 ? (
          <ImportChoices
            choices={choices}
            hasGroups={queue.ready.some(({ preview }) => preview?.has_groups)}
            onChange={setChoices}
          />
        ) : null}
      </div>
      <DialogActions
        note={files.length > 1 ? 'Each file is an import of its own, so that each search is counted.' : undefined}
      >
        <Button variant="ghost" disabled={queue.sending} onClick={leave}>
          {isSent ? 'Close' : 'Cancel'}
        </Button>
        <Button
          variant="primary"
          disabled={count === 0 || queue.sending || queue.isReading || queue.isInvalid}
          onClick={() => void submit()}
        >
          {queue.sending ? 'Uploading...' : count === 0 ? 'Import records' : `Import ${counted(count, 'record')}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
