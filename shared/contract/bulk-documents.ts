import { z } from 'zod'
import { instant } from './calendar-day.ts'

/**
 * Maximum number of documents that one transaction moves to another project. The number is limited because a move also changes
 * the rows of the passages and sentences of each document.
 */
export const MOVE_AT_ONCE = 200

/** Body of POST /api/documents/reassign, which moves the documents of one project to another. Null means no project. */
export const documentsMove = z
  .object({
    from_project_id: z.uuid().nullable(),
    project_id: z.uuid().nullable(),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MOVE_AT_ONCE)
      .optional()
      .describe('documents of this call, all by default: repeat the call while `has_more` is true'),
  })
  .refine((move) => move.from_project_id !== move.project_id, 'Please choose another project.')
export type DocumentsMove = z.infer<typeof documentsMove>

/**
 * Result of a move of all documents: `count` is the number of documents that this call moved. If `has_more` is true, documents
 * may remain in the former project, and the call must be repeated.
 */
export const documentsMoved = z.object({ count: z.number().int(), has_more: z.boolean() })
export type DocumentsMoved = z.infer<typeof documentsMoved>

/** Maximum number of documents in a bulk deletion and in its Undo. */
export const BULK_MAX = 1000

/** Error of a bulk deletion in which no id is a document that the caller can access. */
export const NO_VALID_DOCUMENTS = 'No valid documents to delete'

/** Error of a bulk restoration in which no id is a deleted document that the caller can access. */
export const NO_RESTORABLE_DOCUMENTS = 'No valid documents to restore'

/** Body of POST /api/documents/delete and POST /api/documents/restore. */
export const documentIds = z.object({
  document_ids: z
    .array(z.uuid())
    .min(1, 'Select at least one document.')
    .max(BULK_MAX, `At most ${BULK_MAX} documents at a time.`),
})

/** The result of the deletion of all documents of a project. */
export const documentsDeleted = z.object({
  count: z.number().int(),
  deleted_at: z.string().describe('time of the deletion: pass it as `since` to undo this deletion'),
})
export type DocumentsDeleted = z.infer<typeof documentsDeleted>

/** Query of POST /api/projects/{id}/documents/restore. */
export const documentsRestoreQuery = z.object({
  since: instant
    .optional()
    .describe(
      'restores all documents deleted since this time; without it, those deleted in the hour before the last deletion',
    ),
})

/** Error of a copy in which no id is a document that the caller can read. */
export const NO_COPIED_DOCUMENTS = 'No valid documents to copy'

/** Body of POST /api/documents/copy. */
export const documentsCopy = documentIds.extend({ project_id: z.uuid() })
export type DocumentsCopy = z.infer<typeof documentsCopy>

/** The result of a copy of documents to another project. */
export const copyCount = z.object({
  count: z.number().int(),
  present: z.array(z.uuid()).describe('ids whose file the project has already: they are not copied'),
  missing: z.array(z.uuid()).describe('skipped ids: they do not exist or belong to another user'),
})
export type CopyCount = z.infer<typeof copyCount>

/** The result of a bulk change, of a bulk deletion, or of the Undo of a bulk deletion. */
export const bulkCount = z.object({
  count: z.number().int(),
  missing: z.array(z.uuid()).describe('skipped ids: they do not exist or belong to another user'),
})
export type BulkCount = z.infer<typeof bulkCount>

/** The result of a bulk change of the tags of documents. */
export const tagsChange = bulkCount.extend({
  failed: z
    .array(z.object({ id: z.uuid(), reason: z.string() }))
    .describe('ids of documents that were not changed, with the error of each'),
})
export type TagsChange = z.infer<typeof tagsChange>
