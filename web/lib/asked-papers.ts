import { z } from 'zod'

/** Key in sessionStorage of the papers that the user chose on another screen for a question. */
const KEY = 'lectern.asked-papers'
const stored = z.object({ projectId: z.string(), ids: z.array(z.uuid()) })

/** Stores the papers for the next question in a project, for the lifetime of the tab. */
export const storeAskedPapers = (projectId: string, ids: readonly string[]): void =>
  sessionStorage.setItem(KEY, JSON.stringify({ projectId, ids }))

/** Returns and removes the stored papers of a project; undefined if no papers are stored for it. */
export function takeAskedPapers(projectId: string): string[] | undefined {
  const parsed = stored.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  if (!parsed.success || parsed.data.projectId !== projectId) return undefined
  sessionStorage.removeItem(KEY)
  return parsed.data.ids
}
