import type { SavedSearch } from '#shared/contract/saved-searches.ts'

const STORED = 'lectern.seen-searches'
/** Maximum number of saved searches whose last opening is stored in the browser. */
const MOST = 200

function readTimes(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}')
    const entries = stored !== null && typeof stored === 'object' ? Object.entries(stored) : []
    return Object.fromEntries(entries.filter(([, time]) => typeof time === 'string' && !Number.isNaN(Date.parse(time))))
  } catch {
    return {}
  }
}

/** Returns when a saved search was last opened in this browser, or when it was saved if it was never opened (ISO 8601). */
export const seenAt = ({ id, created_at }: SavedSearch): string => readTimes()[id] ?? new Date(created_at).toISOString()

/** Stores the current time as the time at which a saved search was last opened. */
export function markSeen(id: string): void {
  const { [id]: _old, ...others } = readTimes()
  const times = Object.entries({ ...others, [id]: new Date().toISOString() }).slice(-MOST)
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(times)))
  } catch {
    // Without storage, papers count as new since the search was saved.
  }
}
