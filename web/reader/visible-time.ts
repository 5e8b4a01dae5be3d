/**
 * Calls `run` after the page has been visible for this many seconds. Time in which the page is hidden does not count, because
 * browsers do not render then. Returns a function that cancels the call.
 */
export function afterVisibleSeconds(seconds: number, run: () => void): () => void {
  let left = seconds
  const timer = setInterval(() => {
    if (document.hidden || (left -= 1) > 0) return
    clearInterval(timer)
    run()
  }, 1000)
  return () => clearInterval(timer)
}
