import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isSignedOut } from '#web/auth/index.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { announceUnsaved, DISCARD_QUESTION } from '#web/lib/unsaved.ts'

/**
 * Shows 'Discard changes?' before the user leaves a page with unsaved changes by a link, Back, Cancel or a sign-out. Before the
 * tab closes, the browser shows its own dialog. An expired session shows no dialog, because nothing can be saved. Call `allow`
 * after a save. `isAllowed` returns true after `allow`, and after the user discarded the changes.
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
      // A renamed project changes the address but not the form.
      const isSamePage = current.routeId === next.routeId && documentOf(current.params) === documentOf(next.params)
      if (!isHeld() || isSamePage) return false
      // Prevents a second dialog of the browser if the next page has to be reloaded.
      allowed.current = await confirm(DISCARD_QUESTION)
      return !allowed.current
    },
    enableBeforeUnload: isHeld,
  })
  return { allow, isAllowed: () => allowed.current }
}

const documentOf = (params: object) => ('documentId' in params ? params.documentId : undefined)
