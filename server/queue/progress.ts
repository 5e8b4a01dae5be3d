/** Milliseconds between two writes of the progress. Users would not notice more frequent updates. */
const INTERVAL_MS = 250

/**
 * Returns functions that write the progress of a job: only the latest report, at most four times a second and one at a time.
 * `stop` drops a report that is not written yet, and resolves when no write is running.
 */
export function throttleReports(write: (progress: number, text: string | null) => Promise<void>) {
  let latest: [progress: number, text: string | null] | undefined
  let writing: Promise<void> | undefined
  const timer = setInterval(() => {
    if (!latest || writing) return
    writing = write(...latest).finally(() => (writing = undefined))
    latest = undefined
  }, INTERVAL_MS)
  return {
    /** Reports a progress in percent, with a text for the user. */
    report(progress: number, text?: string) {
      latest = [Math.min(100, Math.max(0, Number.isFinite(progress) ? progress : 0)), text ?? null]
    },
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}
