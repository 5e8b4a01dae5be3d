/** Asks in the browser's own words before the page is reloaded, closed or left while work runs that this would lose. */

let running = 0
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Guards the page until the returned function is called; several pieces of work guard it together. Moving inside the app
 * is not asked about: the work goes on there.
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

/** Whether work runs that a reload would lose. */
export const isPageGuarded = () => running > 0
