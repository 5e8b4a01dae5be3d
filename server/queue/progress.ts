/** More frequent updates are not perceptible. */
const INTERVAL_MS = 250

/**
 * Writes the latest of many reports, at most four times a second and one at a time. `stop` drops a pending report and
 * resolves when no write is running.
 */
export function throttleReports(write: (progress: number, text: string | null) => Promise<void>) {
  let latest: [number, string | null] | undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isStopped = false
  let lastAt = 0

  const flush = () => {
    timer = undefined
    if (!latest || writing || isStopped) return
    const [progress, text] = latest
    latest = undefined
    lastAt = performance.now()
    writing = write(progress, text).finally(() => {
      writing = undefined
      schedule()
    })
  }
  const schedule = () => {
    if (!latest || timer || writing || isStopped) return
    timer = setTimeout(flush, Math.max(0, lastAt + INTERVAL_MS - performance.now()))
  }
  return {
    /** `progress` in percent. */
    report(progress: number, text?: string) {
      const bounded = Math.min(100, Math.max(0, Number.isFinite(progress) ? progress : 0))
      latest = [bounded, text ?? null]
      schedule()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await writing
    },
  }
}
