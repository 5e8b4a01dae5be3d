import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'

/**
 * The landmark (page head or main part) around a component, so that what it lets float is put there and not beside all
 * landmarks, where readers who jump from one to the next would miss it. Draw the `marker` next to the trigger.
 */
export function useLandmark(): { container: HTMLElement | null; marker: ReactNode } {
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const find = useCallback((mark: HTMLElement | null) => {
    if (mark) setContainer(mark.closest<HTMLElement>('[role=dialog], main, header'))
  }, [])
  return { container, marker: <span ref={find} hidden /> }
}
