/** This module makes the browser ask for a confirmation before the page is reloaded, closed or left while work is running. */

let running = 0
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Makes the browser ask before the page is reloaded or closed, until the returned function is called. Several guards can be
 * active at a time. Navigation within the app is not affected.
 */
export function guardPage(): () => void {
  if (running++ === 0) addEventListener('beforeunload', ask)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    if (--running === 0) removeEventListener('beforeunload', ask)
  }
}

/** Returns true while work runs that a reload would lose. */
export const isPageGuarded = () => running > 0
