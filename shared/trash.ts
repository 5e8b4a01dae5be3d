import { z } from 'zod'

/** How long what was deleted can come back; then it is gone, its files included. */
export const KEPT_DAYS = 30

/** How many documents the list shows at first, and at most. */
export const TRASH_SHOWN = { first: 50, most: 1000 } as const

const until = { deleted_at: z.string(), gone_at: z.string() }

export const deletedProject = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How many documents were deleted with it and come back with it. */
  document_count: z.number().int(),
  ...until,
})
export type DeletedProject = z.infer<typeof deletedProject>

export const deletedDocument = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  filename: z.string(),
  project_id: z.uuid().nullable(),
  project_name: z.string().nullable(),
  /** Its project is deleted too, and comes back with it. */
  project_deleted: z.boolean(),
  ...until,
})
export type DeletedDocument = z.infer<typeof deletedDocument>

/** What was deleted in the last thirty days, the newest first; documents that went with their project are counted there. */
export const trash = z.object({
  projects: z.array(deletedProject),
  documents: z.array(deletedDocument),
  /** Of all of them, also those that are not shown. */
  document_count: z.number().int(),
})
export type Trash = z.infer<typeof trash>

export const trashQuery = z.object({
  limit: z.coerce.number().int().min(1).max(TRASH_SHOWN.most).default(TRASH_SHOWN.first),
})

/** The name under which a project comes back: its own, or the first one that is free. */
export function restoredName(name: string, taken: ReadonlySet<string>): string {
  for (let at = 0; ; at++) {
    const ending = at === 0 ? '' : at === 1 ? ' (restored)' : ` (restored ${at})`
    const found = `${name.slice(0, 200 - ending.length)}${ending}`
    if (!taken.has(found.toLowerCase())) return found
  }
}
