/** Time in ms for which a document is skipped after its first failure (FIRST_MS), and maximum of this time (MOST_MS). */
const FIRST_MS = 60_000
const MOST_MS = 24 * 3600_000

/** A document with the version of its text at which a background task failed. */
export interface FailedDocument {
  id: string
  version: string
}

/**
 * The documents for which a background task of this process failed. After a failure, a document is skipped for a minute, then
 * for twice the time after each further failure, at most for a day. A new version of its text is not skipped. `now` is a time
 * in ms since 1970.
 */
export function recentFailures() {
  const failures = new Map<string, FailedDocument & { waitMs: number; until: number }>()
  return {
    add({ id, version }: FailedDocument, now: number): void {
      const known = failures.get(id)
      const waitMs = known?.version === version ? Math.min(MOST_MS, 2 * known.waitMs) : FIRST_MS
      failures.set(id, { id, version, waitMs, until: now + waitMs })
    },
    remove: (id: string) => void failures.delete(id),
    /** Returns the documents to skip, with the versions of their texts. */
    skipped: (now: number): FailedDocument[] => [...failures.values()].filter(({ until }) => now < until),
  }
}
