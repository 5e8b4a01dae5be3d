import { useEffect, useRef, useState } from 'react'
import type { JournalImport } from '#shared/contract/journal-import.ts'

/**
 * Calls `onEnd` once when a run of the journal update ends, if `runs` showed it as running or if it was started here. Call the
 * returned function with the id of a started run: such a run can fail before `runs` shows it as running.
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
