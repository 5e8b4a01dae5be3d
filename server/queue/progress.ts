/** More frequent updates are not perceptible. */
const INTERVAL_MS = 250

/**
 * Writes the latest of many reports, four times a second and one at a time. `stop` drops a pending report and resolves
 * when no write is running.
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
    /** `progress` in percent. */
    report(progress: number, text?: string) {
      latest = [Math.min(100, Math.max(0, Number.isFinite(progress) ? progress : 0)), text ?? null]
    },
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}
