import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { documentRow } from '#shared/documents.ts'
import type { DriveFile } from '#shared/drive.ts'
import { api } from '#shared/paths.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'

/** How far one chosen file is. */
export type ImportState = { state: 'waiting' | 'importing' | 'done' } | { state: 'failed'; error: string }

/**
 * Brings files of the drive into the project one after the other: what has arrived stays, whatever becomes of the rest.
 * `run` answers whether all of them arrived. Leaving the page ends the file that is under way.
 */
export function useImport(projectId: string | null, accessToken: string | undefined) {
  const client = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, ImportState>>(new Map())
  const [busy, setBusy] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const note = (id: string, state: ImportState) => setStates((before) => new Map(before).set(id, state))

  const run = async (files: readonly DriveFile[]): Promise<boolean> => {
    if (!projectId) {
      toast({ title: 'No Project Selected', destructive: true })
      return false
    }
    if (!accessToken) {
      toast({ title: 'Not authenticated with Google Drive', destructive: true })
      return false
    }
    const ended = new AbortController()
    stop.current = ended
    setBusy(true)
    for (const { id } of files) note(id, { state: 'waiting' })
    let failed = 0
    for (const file of files) {
      note(file.id, { state: 'importing' })
      try {
        const imported = await request(api.driveImport(), {
          method: 'POST',
          body: { project_id: projectId, access_token: accessToken, file_id: file.id, file_name: file.name },
          schema: one(documentRow),
          signal: ended.signal,
        })
        note(file.id, { state: 'done' })
        toast({ title: 'Success', description: `${file.name} uploaded successfully` })
        if (imported.text_warning === 'scan')
          toast({
            title: 'No text content extracted from PDF',
            description: `The pages of ${file.name} are pictures. Use OCR for it.`,
            destructive: true,
          })
      } catch (error) {
        if (ended.signal.aborted) break
        failed += 1
        const words = messageOf(error)
        note(file.id, { state: 'failed', error: words })
        toast({ title: words, description: `Failed to upload ${file.name}: ${words}`, destructive: true })
      }
    }
    setBusy(false)
    await client.invalidateQueries({ queryKey: ['documents'] })
    return failed === 0 && !ended.signal.aborted
  }
  return { states, busy, run, stop: () => stop.current?.abort() }
}
