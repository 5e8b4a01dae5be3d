import { useEffect, useRef, useState } from 'react'
import type { JournalImport } from '#shared/contract/journal-import.ts'

/**
 * Calls `onEnd` once for each run that was seen running or was started here. Needed because a run that fails at its first request
 * ends before the status stream opens. Returns a function: call it with the id of a started run.
 */
export function useFollowedRun(runs: readonly JournalImport[] | undefined, onEnd: (run: JournalImport) => void) {
  const [followed, setFollowed] = useState<string | null>(null)
  const reported = useRef<string | null>(null)
  useEffect(() => {
    const latest = runs?.[0]
    if (latest?.status === 'running') return setFollowed(latest.id)
    const ended = runs?.find(({ id }) => id === followed)
    if (!ended || reported.current === ended.id) return
    reported.current = ended.id
    onEnd(ended)
  }, [runs, followed, onEnd])
  return setFollowed
}
