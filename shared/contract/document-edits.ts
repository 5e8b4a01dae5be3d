import { z } from 'zod'
import { passageField } from './passages.ts'
import { DOCUMENT_STATUSES, documentDetail, editedField } from './documents.ts'
import { JOURNAL_NAME_MAX } from './new-journal.ts'
import { referencePatch } from './reference-edits.ts'
import { seenVersion } from './versions.ts'
import { FIELD_OF_COLUMN, REFERENCE_COLUMNS } from '#shared/references/columns.ts'

/** Body of POST /api/documents/{id}/undo-analysis: `analyzed_at` of the analysis to undo. */
export const analysisUndoRequest = z.object({ analyzed_at: z.iso.datetime({ offset: true }) })

/** The document after the undo. `kept`: fields that changed after the analysis and were not reverted. */
export const undoneAnalysis = z.object({ document: documentDetail, kept: z.array(passageField) })
export type UndoneAnalysis = z.infer<typeof undoneAnalysis>

const trimmed = z.string().trim()

/** Maximum number of characters of a tag, and maximum number of tags of a paper. */
export const TAG_MAX = 200
export const TAGS_MAX = 200

/** Keywords of a document. Null means no keywords. Duplicates are removed. */
const keywords = z
  .array(trimmed.min(1).max(TAG_MAX))
  .max(TAGS_MAX)
  .nullable()
  .transform((words) => [...new Set(words)])

/** Body of PATCH /api/documents/{id}. A string in `insights` is parsed as JSON. `insights` is ignored if it is no array. */
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

/**
 * Splits a text into insights, one per line. Trims the lines and omits empty lines. If no line remains, returns the unchanged
 * text as the only insight, or [] for an empty text.
 */
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

/** Maximum number of edits that the edit history of a document contains; the latest edits are returned. */
export const MOST_EDITS = 100

/** An entry of the edit history of a document: a change by a user of a value that an analysis had filled. */
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
