import { type ReactNode, Suspense, useState } from 'react'

/** Renders its children from the first time that `when` is true. For parts that load their code when they are first shown. */
export function MountOnce({ when, children }: { when: boolean; children: ReactNode }) {
  const [wasShown, setWasShown] = useState(when)
  if (when && !wasShown) setWasShown(true)
  return wasShown ? <Suspense>{children}</Suspense> : null
}
