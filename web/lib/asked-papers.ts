import { z } from 'zod'

/**
 * Key in sessionStorage. The value is the list of papers that the user selected on another screen to ask a question about them.
 */
const KEY = 'lectern.asked-papers'
const stored = z.object({ projectId: z.string(), ids: z.array(z.uuid()) })

/** Stores the papers that the next question in a project is about, until the tab closes. */
export const storeAskedPapers = (projectId: string, ids: readonly string[]): void =>
  sessionStorage.setItem(KEY, JSON.stringify({ projectId, ids }))

/**
 * Returns the papers that the user selected on another screen for the next question in a project, and removes them from the
 * store of `storeAskedPapers`. Returns undefined if there are none.
 */
export function takeAskedPapers(projectId: string): string[] | undefined {
  const parsed = stored.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  if (!parsed.success || parsed.data.projectId !== projectId) return undefined
  sessionStorage.removeItem(KEY)
  return parsed.data.ids
}
