import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isSignedOut } from '#web/auth/index.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { announceUnsaved, DISCARD_QUESTION } from '#web/lib/unsaved.ts'

/**
 * Asks 'Discard changes?' before the page with unsaved changes is left, by a link, the browser's back, Cancel or a
 * sign-out; before the tab closes the browser asks in its own words. A session that ended is not asked about: nothing
 * could be saved any more. `allow` is called when the changes are saved; `isAllowed` after that, and when the person gave
 * them up.
 */
export function useUnsavedWarning(unsaved: boolean): { allow: () => void; isAllowed: () => boolean } {
  const allowed = useRef(false)
  const now = useRef(unsaved)
  useEffect(() => {
    now.current = unsaved
  }, [unsaved])
  const isHeld = () => now.current && !allowed.current && !isSignedOut()
  const allow = () => {
    allowed.current = true
  }
  useEffect(
    () =>
      announceUnsaved({ isUnsaved: () => now.current && !allowed.current, discard: () => (allowed.current = true) }),
    [],
  )
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // The address of a renamed project changes around a form that stays.
      const isSamePage = current.routeId === next.routeId && documentOf(current.params) === documentOf(next.params)
      if (!isHeld() || isSamePage) return false
      // The browser does not ask once more should the next page have to be loaded again.
      allowed.current = await confirm(DISCARD_QUESTION)
      return !allowed.current
    },
    enableBeforeUnload: isHeld,
  })
  return { allow, isAllowed: () => allowed.current }
}

const documentOf = (params: object) => ('documentId' in params ? params.documentId : undefined)
