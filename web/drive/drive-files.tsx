import { Check, FileText, Folder } from 'lucide-react'
import { isFolder, type DriveFile } from '#shared/contract/drive.ts'
import { fileSize } from '#web/lib/file-size.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/marks.tsx'
import styles from './drive.module.css'
import type { ImportState } from './use-import.ts'

/** The content of a folder. A click opens a folder or imports a file. Several selected files are imported together. */
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
    <ul className={styles.files}>
      {files.map((file) => {
        const now = states.get(file.id)
        return (
          <li key={file.id}>
            {isFolder(file) ? (
              <Folder className="text-muted-foreground" aria-hidden />
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
              className={styles.file}
              disabled={busy || now?.state === 'done'}
              onClick={() => (isFolder(file) ? onOpen(file) : onImport(file))}
            >
              {isFolder(file) ? null : <FileText className="text-muted-foreground" aria-hidden />}
              <span className="wrap-anywhere">{file.name}</span>
            </button>
            <span
              className="text-muted-foreground tabular-nums lining-nums text-meta flex items-center gap-1 whitespace-nowrap"
              aria-live="polite"
            >
              {now?.state === 'importing' ? (
                <Spinner label={`Importing ${file.name}`} />
              ) : now?.state === 'done' ? (
                <>
                  <Check className="text-status-completed" aria-hidden /> Imported
                </>
              ) : now?.state === 'waiting' ? (
                'Waiting'
              ) : file.size ? (
                fileSize(file.size)
              ) : null}
            </span>
            {now?.state === 'failed' ? (
              <FieldError role={now.error ? 'alert' : undefined}>{now.error ?? 'Not imported'}</FieldError>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
