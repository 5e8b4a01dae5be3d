import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { confirm } from './confirm.tsx'
import { isSignedOut } from './signed-out.ts'
import { announceUnsaved, DISCARD_QUESTION } from './unsaved.ts'

/**
 * Shows the confirmation 'Discard changes?' before the user leaves a form or dialog with unsaved changes by a link, Back or a
 * sign-out. When the tab closes, the browser shows its own dialog. After the session has expired, no confirmation is shown,
 * because nothing can be saved. Returns three functions. `allow`: call it after a save; the confirmation is then not shown any
 * more. `isAllowed`: returns true after `allow`, and after the user discarded the changes. `leave`: shows the confirmation if
 * necessary and calls `close` unless the user keeps editing.
 */
export function useUnsavedWarning(unsaved: boolean): {
  allow: () => void
  isAllowed: () => boolean
  leave: (close: () => void) => void
} {
  const allowed = useRef(false)
  const now = useRef(unsaved)
  useEffect(() => {
    now.current = unsaved
  }, [unsaved])
  const isHeld = () => now.current && !allowed.current && !isSignedOut()
  const allow = () => {
    allowed.current = true
  }
  /** Returns true if nothing is unsaved or the user discards the changes. */
  const mayLeave = async () => {
    if (!isHeld()) return true
    // Prevents a second dialog of the browser if the next page has to be reloaded.
    allowed.current = await confirm(DISCARD_QUESTION)
    return allowed.current
  }
  useEffect(
    () =>
      announceUnsaved({ isUnsaved: () => now.current && !allowed.current, discard: () => (allowed.current = true) }),
    [],
  )
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isSamePage = current.routeId === next.routeId && shownIn(current.params) === shownIn(next.params)
      return !isSamePage && !(await mayLeave())
    },
    enableBeforeUnload: isHeld,
  })
  return { allow, isAllowed: () => allowed.current, leave: (close) => void mayLeave().then((may) => may && close()) }
}

/** Returns the document or the project of a page. The page of a document stays if the document is moved to another project. */
function shownIn(params: object): unknown {
  if ('documentId' in params) return params.documentId
  return 'projectName' in params ? params.projectName : undefined
}
