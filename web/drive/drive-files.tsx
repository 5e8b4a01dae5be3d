import { Check, FileText, Folder } from 'lucide-react'
import { isFolder, type DriveFile } from '#shared/contract/drive.ts'
import { fileSize } from '#web/lib/file-size.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Spinner } from '#web/ui/marks.tsx'
import type { ImportState } from './use-import.ts'

/** Content of a folder. A folder opens, a file is imported; several selected files are imported together. */
export function DriveFiles({
  files,
  states,
  chosen,
  busy,
  onOpen,
  onImport,
  onChoose,
}: {
  files: readonly DriveFile[]
  states: ReadonlyMap<string, ImportState>
  chosen: ReadonlySet<string>
  busy: boolean
  onOpen: (folder: DriveFile) => void
  onImport: (file: DriveFile) => void
  onChoose: (file: DriveFile, chosen: boolean) => void
}) {
  return (
    <ul className="drive-files">
      {files.map((file) => {
        const now = states.get(file.id)
        return (
          <li key={file.id}>
            {isFolder(file) ? (
              <Folder className="ic quiet" aria-hidden />
            ) : (
              <Checkbox
                checked={chosen.has(file.id)}
                onChange={(next) => onChoose(file, next)}
                disabled={busy || now?.state === 'done'}
                label={`Select ${file.name}`}
              />
            )}
            <button
              type="button"
              className="drive-file"
              disabled={busy || now?.state === 'done'}
              onClick={() => (isFolder(file) ? onOpen(file) : onImport(file))}
            >
              {isFolder(file) ? null : <FileText className="ic quiet" aria-hidden />}
              <span className="wrap-anywhere">{file.name}</span>
            </button>
            <span className="quiet num text-meta flex items-center gap-1 whitespace-nowrap" aria-live="polite">
              {now?.state === 'importing' ? (
                <Spinner label={`Importing ${file.name}`} />
              ) : now?.state === 'done' ? (
                <>
                  <Check className="ic text-status-completed" aria-hidden /> Imported
                </>
              ) : now?.state === 'waiting' ? (
                'Waiting'
              ) : file.size ? (
                fileSize(file.size)
              ) : null}
            </span>
            {now?.state === 'failed' ? (
              <p className="err" role={now.error ? 'alert' : undefined}>
                {now.error ?? 'Not imported'}
              </p>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
