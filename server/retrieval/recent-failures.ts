/** Time in ms for which a document whose index could not be built is skipped. */
const RETRY_MS = 10 * 60_000

/** The documents whose index could not be built in this process. `now` is a time in ms since 1970. */
export function recentFailures() {
  const failedAt = new Map<string, number>()
  return {
    add: (id: string, now: number) => void failedAt.set(id, now),
    remove: (id: string) => void failedAt.delete(id),
    /** Returns the ids of the documents that failed less than ten minutes ago. */
    ids: (now: number) => [...failedAt].filter(([, at]) => now - at < RETRY_MS).map(([id]) => id),
  }
}
