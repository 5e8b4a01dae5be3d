import { useEffect, useState } from 'react'
import { importProgress } from '#shared/journal-import.ts'
import type { ImportProgress } from '#shared/journal-import.ts'
import { api } from '#shared/paths.ts'

const REOPEN_MS = 3000

/** What is told of the stream. */
interface Listener {
  onEnd: (last: ImportProgress) => void
  /** The connection broke; it is being restored by itself. */
  onBreak: () => void
}

/**
 * The progress of the run that is going on, as the status stream tells it; null while none is followed. One connection,
 * as long as `isRunning`; the browser resumes a broken one with the id of what it heard last.
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
