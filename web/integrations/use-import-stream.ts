import { useEffect, useState } from 'react'
import { importProgress } from '#shared/contract/journal-import.ts'
import type { ImportProgress } from '#shared/contract/journal-import.ts'
import { api } from '#shared/contract/paths.ts'

const REOPEN_MS = 3000

/** Callbacks of the stream that reports the progress of a journal update. */
interface Listener {
  onEnd: (last: ImportProgress) => void
  /** Called when the connection is lost. It is reopened automatically. */
  onBreak: () => void
}

/**
 * Returns the progress of the running journal update, or null. Reads it from an event stream, which is open while `isRunning`
 * is true. Calls `onEnd` when the update ends, and `onBreak` when the connection is lost. A lost connection is reopened.
 */
export function useImportStream(isRunning: boolean, { onEnd, onBreak }: Listener): ImportProgress | null {
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  useEffect(() => {
    if (!isRunning) return
    let source: EventSource
    let reopening: ReturnType<typeof setTimeout> | undefined
    let isBroken = false
    const open = () => {
      source = new EventSource(api.adminUpdateJournalsStatus())
      source.addEventListener('open', () => {
        isBroken = false
      })
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const now = importProgress.parse(JSON.parse(data))
        setProgress(now)
        if (now.status === 'running') return
        source.close()
        onEnd(now)
      })
      source.addEventListener('error', () => {
        if (!isBroken) onBreak()
        isBroken = true
        if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS)
      })
    }
    open()
    return () => {
      source.close()
      clearTimeout(reopening)
      setProgress(null)
    }
  }, [isRunning, onEnd, onBreak])
  return progress
}
