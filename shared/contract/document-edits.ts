import { z } from 'zod'
import { passageField } from './passages.ts'
import { DOCUMENT_STATUSES, documentDetail, editedField } from './documents.ts'
import { referencePatch } from './reference-edits.ts'
import { seenVersion } from './versions.ts'
import { FIELD_OF_COLUMN, REFERENCE_COLUMNS } from '#shared/references/columns.ts'

/** Body of POST /api/documents/{id}/undo-analysis: `analyzed_at` of the analysis to undo. */
export const analysisUndoRequest = z.object({ analyzed_at: z.iso.datetime({ offset: true }) })

/** The document after the undo. `kept`: fields that changed after the analysis and were not reverted. */
export const undoneAnalysis = z.object({ document: documentDetail, kept: z.array(passageField) })
export type UndoneAnalysis = z.infer<typeof undoneAnalysis>

const trimmed = z.string().trim()

/** Maximum characters of a tag, and tags of a paper. */
export const TAG_MAX = 200
export const TAGS_MAX = 200
/** Maximum characters of the name of a journal. */
export const JOURNAL_NAME_MAX = 500

/** Duplicates are removed, as on the form. Null means no keywords. */
const keywords = z
  .array(trimmed.min(1).max(TAG_MAX))
  .max(TAGS_MAX)
  .nullable()
  .transform((words) => [...new Set(words)])

/** PATCH /api/documents/{id}. `insights` may be a JSON string, which is parsed; a value that is no array is ignored. */
export const documentPatch = z
  .object({
    title: trimmed.max(2000).nullable(),
    doi_link: trimmed.max(500).nullable(),
    publication_date: z.iso
      .date()
      .refine((date) => !date.startsWith('0000'), 'The year 0 does not exist. Enter another date.')
      .nullable(),
    journal_name: trimmed.max(JOURNAL_NAME_MAX).nullable(),
    journal_id: z.uuid().nullable(),
    summary: z.string().max(100_000).nullable(),
    lifestyle_recommendations: z.string().max(100_000).nullable(),
    evidence_level: trimmed.max(500).nullable(),
    keywords,
    social_post: z.string().max(20_000).nullable(),
    insights: z.preprocess(parseInsights, z.array(z.string().max(20_000)).max(500).optional()),
    status: z.enum(DOCUMENT_STATUSES),
    analysis_model: trimmed.max(200).nullable(),
    project_id: z.uuid().nullable(),
    authors: z.array(trimmed.min(1).max(300)).max(3000),
    abstract: z.string().max(50_000).nullable(),
    reference: referencePatch.describe(
      'bibliographic fields by their names in CSL; null removes a field. A field may not be given under two names.',
    ),
    semantic_paperid: trimmed.max(200).nullable(),
    retracted: z.boolean(),
    version: seenVersion,
    looked_up: z
      .array(editedField)
      .describe('fields of this change with a value from a metadata service: they do not count as edited by the user'),
  })
  .partial()
  .superRefine((patch, context) => {
    for (const column of REFERENCE_COLUMNS) {
      const field = FIELD_OF_COLUMN[column]
      if (column in patch && patch.reference && field in patch.reference)
        context.addIssue({
          code: 'custom',
          path: ['reference', field],
          message: `Give ${column} or reference.${field}, not both.`,
        })
    }
  })
export type DocumentPatch = z.infer<typeof documentPatch>

/** Documents of one transaction of a move. A move rewrites the chunks and sentences of each document. */
export const MOVE_AT_ONCE = 200

/** Moves the documents of one project to another. Null means no project, in both fields. */
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

/** The number of moved documents, and whether documents of the former project are left. */
export const documentsMoved = z.object({ count: z.number().int(), has_more: z.boolean() })
export type DocumentsMoved = z.infer<typeof documentsMoved>

/** Maximum number of documents in a bulk deletion and in its Undo. */
export const BULK_MAX = 1000

/** Error of a bulk deletion without any document of the caller. */
export const NO_VALID_DOCUMENTS = 'No valid documents to delete'

/** Error of a bulk restoration without any deleted document of the caller. */
export const NO_RESTORABLE_DOCUMENTS = 'No valid documents to restore'

/** Body of POST /api/documents/delete and POST /api/documents/restore. */
export const documentIds = z.object({
  document_ids: z
    .array(z.uuid())
    .min(1, 'Select at least one document.')
    .max(BULK_MAX, `At most ${BULK_MAX} documents at a time.`),
})

/** Error of a copy without any document that the caller reads. */
export const NO_COPIED_DOCUMENTS = 'No valid documents to copy'

/** Body of POST /api/documents/copy. */
export const documentsCopy = documentIds.extend({ project_id: z.uuid() })
export type DocumentsCopy = z.infer<typeof documentsCopy>

/** The result of a copy to another project. */
export const copyCount = z.object({
  count: z.number().int(),
  present: z.array(z.uuid()).describe('ids whose file the project has already: they are not copied'),
  missing: z.array(z.uuid()).describe('skipped ids: they do not exist or belong to another user'),
})
export type CopyCount = z.infer<typeof copyCount>

/** The result of a bulk deletion or of its Undo. */
export const bulkCount = z.object({
  count: z.number().int(),
  missing: z.array(z.uuid()).describe('skipped ids: they do not exist or belong to another user'),
})
export type BulkCount = z.infer<typeof bulkCount>

/** Splits text into one insight per line. Lines are trimmed, empty lines dropped; if none remains, returns the raw text. */
export function insightsFromText(raw: string): string[] {
  const lines = raw
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length > 0 ? lines : raw ? [raw] : []
}

function parseInsights(value: unknown): unknown {
  if (typeof value !== 'string') return Array.isArray(value) || value === undefined ? value : undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Edits of a document that are listed at most. */
export const MOST_EDITS = 100

/** An edit of a value that an analysis filled. */
export const documentEdit = z.object({
  field: passageField,
  former: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .describe('the value before the edit'),
  edited_by: z.object({ id: z.string(), name: z.string() }).nullable(),
  edited_at: z.string(),
  run: z
    .object({ id: z.uuid(), number: z.number().int() })
    .nullable()
    .describe('the run that filled the former value; null if a user had edited it before'),
})
export type DocumentEdit = z.infer<typeof documentEdit>
