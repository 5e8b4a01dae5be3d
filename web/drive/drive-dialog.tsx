import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { DRIVE_LIST_FAILED, DRIVE_NOT_AUTHORIZED, driveFile, type DriveFile } from '#shared/contract/drive.ts'
import { functionPath } from '#shared/contract/paths.ts'
import { messageOf, request } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { DriveFiles } from './drive-files.tsx'
import styles from './drive.module.css'
import { useAuthorize } from './use-authorize.ts'
import { useImport } from './use-import.ts'

const ROOT = { id: 'root', name: 'My Drive' }

/** The dialog 'Select PDF from Google Drive'. It shows folders and PDF files of the drive, for import into a project. */
export function DriveDialog({
  accessToken,
  rootFiles,
  project,
  onClose,
}: {
  accessToken: string
  rootFiles: DriveFile[]
  /** Target of the import; null when no project is selected. */
  project: { id: string; name: string } | null
  onClose: () => void
}) {
  const [path, setPath] = useState<{ id: string; name: string }[]>([ROOT])
  const [chosen, setChosen] = useState<ReadonlyMap<string, DriveFile>>(new Map())
  const folder = path.at(-1) ?? ROOT
  const list = useQuery({
    queryKey: ['drive', 'folder', folder.id],
    queryFn: ({ signal }) => fetchFolder(accessToken, folder.id, signal),
    ...(folder.id === ROOT.id ? { initialData: rootFiles } : {}),
    // The token is valid for an hour; its results are not cached after the dialog closes.
    gcTime: 0,
    // Only 'Retry' and opening a folder fetch it.
    staleTime: 'static',
    retry: false,
  })
  useEffect(() => {
    if (!list.error) return
    // The reason only: the title of the toast names the failed step.
    const reason = messageOf(list.error).replace(DRIVE_LIST_FAILED, '').replace(/^\. /, '')
    toast({ title: DRIVE_LIST_FAILED, description: reason || undefined, destructive: true })
  }, [list.error])
  const { states, busy, isExpired, run, stop } = useImport(project?.id ?? null, accessToken)
  const importAll = (files: readonly DriveFile[]) =>
    void run(files).then((all) => {
      setChosen(new Map())
      if (all) onClose()
    })
  const files = [...chosen.values()]
  const authorize = useAuthorize(project?.id ?? null)
  const isUnauthorized = isExpired || (list.isError && messageOf(list.error) === DRIVE_NOT_AUTHORIZED)

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Select PDF from Google Drive"
      about={
        project
          ? `Into ${project.name}. Choose a file to import it, or select several files.`
          : 'No project is selected.'
      }
      locked={busy}
    >
      <div className="mt-4.5">
        <div className="mb-2 flex min-h-9 items-center gap-2">
          {path.length > 1 ? (
            <Button size="sm" variant="ghost" disabled={busy} onClick={() => setPath(path.slice(0, -1))}>
              <ArrowLeft aria-hidden />
              Back
            </Button>
          ) : null}
          <span className="text-muted-foreground wrap-anywhere">{path.map(({ name }) => name).join(' / ')}</span>
        </div>
        {isUnauthorized && authorize ? (
          <div className={styles.expired}>
            <p>
              <b>{DRIVE_NOT_AUTHORIZED}</b>
              An authorization lasts about an hour.
            </p>
            <Button size="sm" variant="primary" onClick={authorize}>
              Authorize again
            </Button>
          </div>
        ) : null}
        {list.isPending ? (
          <div className="grid gap-2" aria-busy aria-label="Loading files...">
            <Skeleton height="2.25rem" />
            <Skeleton height="2.25rem" />
            <Skeleton height="2.25rem" />
          </div>
        ) : list.isError ? (
          isUnauthorized ? null : (
            <div className="flex items-center gap-3">
              <FieldError className="mt-0">{messageOf(list.error)}</FieldError>
              <Button size="sm" onClick={() => void list.refetch()}>
                Retry
              </Button>
            </div>
          )
        ) : list.data.length === 0 ? (
          <p className="text-muted-foreground">No files found in this folder</p>
        ) : (
          <DriveFiles
            files={list.data}
            states={states}
            chosen={new Set(chosen.keys())}
            busy={busy}
            onOpen={(next) => setPath([...path, next])}
            onImport={(file) => importAll([file])}
            onChoose={(file, next) => {
              const after = new Map(chosen)
              if (next) after.set(file.id, file)
              else after.delete(file.id)
              setChosen(after)
            }}
          />
        )}
      </div>
      <DialogActions>
        <Button variant="ghost" onClick={() => (busy ? stop() : onClose())}>
          {busy ? 'Stop' : 'Close'}
        </Button>
        <Button variant="primary" disabled={busy || files.length === 0} onClick={() => importAll(files)}>
          {busy ? 'Importing...' : files.length > 1 ? `Import ${files.length} files` : 'Import'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const fetchFolder = async (accessToken: string, folderId: string, signal: AbortSignal) =>
  (
    await request(functionPath('google-drive-list'), {
      method: 'POST',
      body: { action: 'list', folderId, accessToken },
      schema: z.object({ files: z.array(driveFile) }),
      signal,
    })
  ).files
