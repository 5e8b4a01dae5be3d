/**
 * Does `run` once this page has been looked at for so many seconds; time in which it was hidden does not count, because
 * browsers draw nothing then. Returns what calls it off.
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
