import { z } from 'zod'

/** Papers that were chosen on another screen for a question. They stay for the lifetime of the tab. */
const KEY = 'lectern.asked-papers'
const stored = z.object({ projectId: z.string(), ids: z.array(z.uuid()) })

/** Stores the papers that the next question of a project is asked about. */
export const storeAskedPapers = (projectId: string, ids: readonly string[]): void =>
  sessionStorage.setItem(KEY, JSON.stringify({ projectId, ids }))

/** Returns and removes the stored papers of a project; undefined without any. */
export function takeAskedPapers(projectId: string): string[] | undefined {
  const parsed = stored.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  if (!parsed.success || parsed.data.projectId !== projectId) return undefined
  sessionStorage.removeItem(KEY)
  return parsed.data.ids
}
