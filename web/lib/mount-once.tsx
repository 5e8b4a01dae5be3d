import { type ReactNode, Suspense, useState } from 'react'

/**
 * Renders its children from the first time that `when` is true, also after `when` becomes false. For parts whose code is loaded
 * when they are first shown.
 */
export function MountOnce({ when, children }: { when: boolean; children: ReactNode }) {
  const [wasShown, setWasShown] = useState(when)
  if (when && !wasShown) setWasShown(true)
  return wasShown ? <Suspense>{children}</Suspense> : null
}
