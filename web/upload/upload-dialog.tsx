import { Check, FileText, TriangleAlert, X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { SameFile } from '#shared/contract/document-list.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { fileSize } from '#web/lib/file-size.ts'
import { uploadSummary } from '#web/lib/upload-summary.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Progress } from '#web/ui/marks.tsx'
import { countsOf, twinOf, waitText } from './upload-queue.ts'
import type { QueuedFile, useUploadQueue } from './upload-queue.ts'
import styles from './upload.module.css'

/** The dialog that uploads PDF files to the project. It shows the progress of each file. */
export function UploadDialog({
  project,
  queue,
  open,
  onOpenChange,
}: {
  project: Project
  queue: ReturnType<typeof useUploadQueue>
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const switchId = useId()
  const waiting = queue.files.filter((entry) => entry.state === 'waiting' || entry.state === 'failed')
  const size = waiting.reduce((sum, { file }) => sum + file.size, 0)
  const isOver = !queue.busy && queue.files.some(isDone) && !queue.files.some(({ state }) => state === 'waiting')
  // An upload of several files ends with a summary; failed files come first.
  const summary = queue.ended && queue.files.length > 1 ? countsOf(queue.files) : null
  const isBad = summary !== null && summary.refused + summary.failed > 0
  const files = summary ? queue.files.toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a))) : queue.files
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (queue.ended) list.current?.scrollTo({ top: 0 })
  }, [queue.ended])
  const close = (next: boolean) => {
    if (!next) queue.clear()
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Upload Document"
      about={
        <>
          Into {project.name}
          {waiting.length > 1 ? (
            <>
              <span className="dot-separator" />
              {fileSize(size)}
            </>
          ) : null}
          . PDF files only. Only the members of the project see them.
        </>
      }
      locked={queue.busy}
    >
      <div className="mt-4.5">
        <DropZone inputLabel="PDF files" accept=".pdf,application/pdf" onFiles={queue.add}>
          Drop PDF files here, or choose them from your device.
        </DropZone>
        {summary ? (
          <p className={styles.summary} role="status" data-bad={isBad || undefined}>
            {isBad ? <TriangleAlert aria-hidden /> : null}
            {uploadSummary(summary)}
          </p>
        ) : null}
        {queue.continuesAt ? (
          <p className="text-meta mt-4" role="status">
            {waitText(queue.continuesAt)}
          </p>
        ) : null}
        {files.length > 0 ? (
          <ul ref={list} className={styles.files} aria-live="polite">
            {files.map((entry) => (
              <UploadRow
                key={entry.key}
                entry={entry}
                twin={twinOf(entry, queue.files)}
                onRemove={() => queue.remove(entry.key)}
                onRetry={queue.busy ? undefined : () => void queue.send(entry.key)}
              />
            ))}
          </ul>
        ) : null}
        {isOver ? null : (
          <label className="mt-5 flex items-start gap-3" htmlFor={switchId}>
            <Switch id={switchId} checked={queue.isProcessed} onChange={queue.setProcessed} />
            <span>
              Process these papers
              <span className="text-muted-foreground text-meta block">
                Text, analysis and vectors, one paper after the other. Scans and garbled pages are read by OCR. Each
                paper can be used as soon as it is ready.
              </span>
            </span>
          </label>
        )}
      </div>
      <DialogActions>
        {isOver ? (
          <Button variant="primary" onClick={() => close(false)}>
            Done
          </Button>
        ) : (
          <>
            <Button variant="ghost" onClick={() => (queue.busy ? queue.stop() : close(false))}>
              Cancel
            </Button>
            <Button
              variant="primary"
              disabled={queue.busy}
              onClick={() => void queue.send().then((all) => all && close(false))}
            >
              {queue.continuesAt
                ? 'Waiting...'
                : queue.busy
                  ? 'Uploading...'
                  : waiting.length > 1
                    ? `Upload ${waiting.length} papers`
                    : 'Upload'}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** A link to the document with the same file. It opens in a new tab, so that the dialog does not lose the selected files. */
function SameFileLink({ same }: { same: SameFile }) {
  const name = documentTitle(same)
  if (!same.project_address) return <b>{name}</b>
  return (
    <a className="text-link" href={pages.document(same.project_address, same.id)} target="_blank" rel="noreferrer">
      {name}
    </a>
  )
}

const isDone = ({ state }: QueuedFile) => state === 'done'
const hasFailed = ({ state }: QueuedFile) => state === 'refused' || state === 'failed'

function UploadRow({
  entry,
  twin,
  onRemove,
  onRetry,
}: {
  entry: QueuedFile
  /** A file with the same content that was selected earlier, or undefined. */
  twin: QueuedFile | undefined
  onRemove: () => void
  onRetry: (() => void) | undefined
}) {
  const { file, state, part, error, same } = entry
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (error) row.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    <li ref={row}>
      <span className="flex min-w-0 items-center gap-2">
        <FileText className="text-muted-foreground" aria-hidden />
        <span className={error ? 'min-w-0 wrap-anywhere' : 'truncate'}>{file.name}</span>
        <span className="text-muted-foreground tabular-nums lining-nums text-meta whitespace-nowrap">
          {fileSize(file.size)}
        </span>
      </span>
      {state === 'sending' ? (
        <span className="tabular-nums lining-nums text-meta">{Math.round(part * 100)}%</span>
      ) : state === 'done' ? (
        <Check className="text-status-completed" aria-label="Uploaded" />
      ) : (
        <IconButton label={`Remove ${file.name}`} className="size-6" onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      )}
      {state === 'sending' ? <Progress value={part * 100} label={`Uploading ${file.name}`} /> : null}
      {error ? (
        <FieldError>
          {error}
          {state === 'failed' ? (
            <Button size="sm" disabled={!onRetry} onClick={onRetry} aria-label={`Retry ${file.name}`}>
              Retry
            </Button>
          ) : null}
        </FieldError>
      ) : null}
      {(same || twin) && (state === 'waiting' || state === 'sending') ? (
        <p className={styles.sameFile}>
          <span>
            {same ? (
              <>
                You already have this file: <SameFileLink same={same} />.
              </>
            ) : (
              <>
                You have chosen this file twice: it is the same as <b>{twin?.file.name}</b>.
              </>
            )}{' '}
            Upload it to keep both, or discard it.
          </span>
          {state === 'sending' ? null : (
            <Button size="sm" onClick={onRemove} aria-label={`Discard ${file.name}`}>
              Discard
            </Button>
          )}
        </p>
      ) : null}
    </li>
  )
}
