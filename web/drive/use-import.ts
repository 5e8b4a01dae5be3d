import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { documentRow } from '#shared/contract/documents.ts'
import { DRIVE_NOT_AUTHORIZED, type DriveFile } from '#shared/contract/drive.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'

/** State of the import of one file. `error` is the reason of a failure; null if a toast shows the reason. */
export type ImportState = { state: 'waiting' | 'importing' | 'done' } | { state: 'failed'; error: string | null }

/**
 * Imports files of the drive into the project, one after the other. A failed import does not undo the earlier ones. An expired
 * authorization stops the imports, because all further files would fail too. `run` resolves to true if every file was imported.
 * Unmounting aborts the current import.
 */
export function useImport(projectId: string | null, accessToken: string) {
  const client = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, ImportState>>(new Map())
  const [busy, setBusy] = useState(false)
  const [isExpired, setIsExpired] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const note = (id: string, state: ImportState) => setStates((before) => new Map(before).set(id, state))

  /** Imports one file. Returns the reason of a failure, or null after a success. */
  const importOne = async (id: string, file: DriveFile, signal: AbortSignal): Promise<string | null> => {
    try {
      const imported = await request(api.driveImport(), {
        method: 'POST',
        body: { project_id: id, access_token: accessToken, file_id: file.id, file_name: file.name },
        schema: one(documentRow),
        signal,
      })
      toast({ title: 'Success', description: `${file.name} uploaded successfully` })
      if (imported.text_warning === 'scan')
        toast({
          title: 'No text content extracted from PDF',
          description: `The pages of ${file.name} are images. Use OCR for it.`,
          destructive: true,
        })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  const run = async (files: readonly DriveFile[]): Promise<boolean> => {
    if (!projectId) {
      toast({ title: 'No Project Selected', destructive: true })
      return false
    }
    const { signal } = (stop.current = new AbortController())
    setBusy(true)
    for (const { id } of files) note(id, { state: 'waiting' })
    let done = 0
    let reason: string | null = null
    for (const file of files) {
      note(file.id, { state: 'importing' })
      reason = await importOne(projectId, file, signal)
      if (signal.aborted) break
      if (reason === null) {
        done += 1
        note(file.id, { state: 'done' })
        continue
      }
      const hasOwnToast = files.length === 1 || reason === DRIVE_NOT_AUTHORIZED
      note(file.id, { state: 'failed', error: hasOwnToast ? null : reason })
      if (hasOwnToast) toast({ title: reason, description: `${file.name} was not imported.`, destructive: true })
      if (reason === DRIVE_NOT_AUTHORIZED) break
    }
    setIsExpired(reason === DRIVE_NOT_AUTHORIZED)
    setBusy(false)
    setStates((before) => new Map([...before].filter(([, { state }]) => state === 'done' || state === 'failed')))
    if (!signal.aborted && done < files.length && files.length > 1 && reason !== DRIVE_NOT_AUTHORIZED)
      toast({ title: `${done} of ${files.length} files imported`, destructive: true })
    await client.invalidateQueries({ queryKey: ['documents'] })
    return done === files.length
  }
  return { states, busy, isExpired, run, stop: () => stop.current?.abort() }
}
