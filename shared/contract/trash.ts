import { z } from 'zod'
import { instant } from './calendar-day.ts'

/** Days until deleted documents and projects are removed for good, including their files. */
export const TRASH_DAYS = 30

/** Number of documents in the list: initial and maximum. */
export const TRASH_SHOWN = { first: 50, most: 1000 } as const

const until = { deleted_at: z.string(), gone_at: z.string() }

export const deletedProject = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Number of documents that were deleted with the project. A restoration of the project restores them. */
  document_count: z.number().int(),
  ...until,
})
export type DeletedProject = z.infer<typeof deletedProject>

export const deletedDocument = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  filename: z.string(),
  retracted: z.boolean(),
  project_id: z.uuid().nullable(),
  project_name: z.string().nullable(),
  /** True if the project of the document is deleted. A restoration of the document restores the project. */
  project_deleted: z.boolean(),
  /**
   * The join of two duplicates that moved the document to the trash, with the title of the paper that stayed. The join can be
   * undone. Null if a user deleted the document.
   */
  join: z.object({ id: z.uuid(), kept_title: z.string() }).nullable(),
  ...until,
})
export type DeletedDocument = z.infer<typeof deletedDocument>

/**
 * The deleted projects and documents of the last thirty days, newest first. Documents of a deleted project are counted with the
 * project and not listed.
 */
export const trash = z.object({
  projects: z.array(deletedProject),
  documents: z.array(deletedDocument),
  /** Number of all deleted documents, including those beyond the limit of the list. */
  document_count: z.number().int(),
})
export type Trash = z.infer<typeof trash>

export const trashQuery = z.object({
  limit: z.coerce.number().int().min(1).max(TRASH_SHOWN.most).default(TRASH_SHOWN.first),
})

/** Query of DELETE /api/trash. */
export const trashRemovalQuery = z.object({
  before: instant
    .optional()
    .describe('removes only items whose `deleted_at` is at this time or earlier; without it, all items'),
})

/**
 * Returns a free name for a project that is restored: `name`, or the first free name with '(restored)', '(restored 2)' and so
 * on, at most 200 characters. `taken` contains the used names in lower case. `reason` is the word in the parentheses.
 */
export function restoredName(name: string, taken: ReadonlySet<string>, reason = 'restored'): string {
  for (let at = 0; ; at++) {
    const ending = at === 0 ? '' : at === 1 ? ` (${reason})` : ` (${reason} ${at})`
    // Without half of a character that has two UTF-16 units.
    const begin = name.slice(0, 200 - ending.length).replace(/[\uD800-\uDBFF]$/, '')
    const found = `${begin}${ending}`
    if (!taken.has(found.toLowerCase())) return found
  }
}
