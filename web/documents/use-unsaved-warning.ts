import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { confirm } from '#web/lib/confirm.tsx'

/**
 * Asks 'Discard changes?' before the page with unsaved changes is left, by a link, the browser's back or Cancel; before
 * the tab closes the browser asks in its own words. `allow` is called when the changes are saved.
 */
export function useUnsavedWarning(unsaved: boolean): { allow: () => void } {
  const allowed = useRef(false)
  const isHeld = () => unsaved && !allowed.current
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isHeld() || current.pathname === next.pathname) return false
      // The browser does not ask once more should the next page have to be loaded anew.
      allowed.current = await confirm({
        title: 'Discard changes?',
        about: 'What you changed in this document is not saved.',
        action: 'Discard changes',
      })
      return !allowed.current
    },
    enableBeforeUnload: isHeld,
  })
  return {
    allow: () => {
      allowed.current = true
    },
  }
}
