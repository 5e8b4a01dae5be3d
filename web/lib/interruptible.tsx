import { type ReactNode, useDeferredValue, useEffect } from 'react'
import { holdFirstScreen, isFirstScreen } from './first-answers.ts'

/**
 * Renders its children with low priority while the first screen of a visit loads, and `fallback` until they are ready. React
 * then works in steps of 5 ms, and the browser reacts to input between them. Without this, React renders the data of a query in
 * one step.
 */
export function Interruptible({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const isReady = useDeferredValue(true, !isFirstScreen())
  // Minor parts of the screen load after this one is visible.
  useEffect(() => (isReady ? undefined : holdFirstScreen()), [isReady])
  return isReady ? children : fallback
}
