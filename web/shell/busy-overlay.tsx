import { useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { PROJECT_MUTATION } from '#web/projects/index.ts'
import { Spinner } from '#web/ui/marks.tsx'
import styles from './shell.module.css'

const HIDE_AFTER_MS = 300

/** An overlay that is shown while a change of a project is saved, and for 300 ms after it. */
export function BusyOverlay() {
  const busy = useIsMutating({ mutationKey: PROJECT_MUTATION }) > 0
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (busy) {
      setShown(true)
      return
    }
    const timer = setTimeout(() => setShown(false), HIDE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return shown ? (
    <div className={styles.busyOverlay}>
      <Spinner label="Saving" />
    </div>
  ) : null
}
