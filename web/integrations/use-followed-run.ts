import { useEffect, useRef, useState } from 'react'
import type { JournalImport } from '#shared/contract/journal-import.ts'

/**
 * Calls `onEnd` once when a run of the journal update ends. Reports a run only if `runs` showed it as running, or if its id was
 * passed to the returned function. Call this function after a start, because a run can fail before `runs` shows it as running.
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
