import { z } from 'zod'
import { passage, passageField } from './passages.ts'
import { storableText } from '../text/storable-text.ts'
import { MAX_TEXT_CHARACTERS, TEXT_TOO_LARGE } from './text-limits.ts'

export const DOCUMENT_STATUSES = ['pending', 'processing', 'processed', 'completed', 'error'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

export const DOCUMENTS_PAGE_SIZE = 10
export const DOCUMENTS_PAGE_SIZES = [10, 20, 30, 40, 50] as const

/** Error for a file that is not a PDF, by its name or by its content. */
export const NOT_A_PDF = 'This file is not a PDF. Only PDF files are accepted.'

/**
 * Why an extracted text is unreliable. 'scan': the pages are images, and the text layer is almost empty. 'garbled': the
 * font map of the text layer is wrong. OCR is recommended for these two. 'sparse': OCR found hardly any text. 'damaged': some
 * pages could not be read, and their text is missing.
 */
export const textWarning = z.enum(['scan', 'garbled', 'sparse', 'damaged'])
export type TextWarning = z.infer<typeof textWarning>

const nullableText = z.string().nullable()

/** Fields that a user can edit and that an analysis or a metadata look-up also fills. */
export const editableField = z.enum([...passageField.options, 'authors', 'abstract'])
export type EditableField = z.infer<typeof editableField>

/** A row of the documents list: all fields except the long texts. */
export const documentRow = z.object({
  id: z.uuid(),
  project_id: z.uuid().nullable(),
  owner_id: z.string(),
  title: nullableText,
  filename: z.string(),
  source_url: nullableText.describe('where the PDF is stored; null for a paper without a file'),
  doi_link: nullableText,
  publication_date: nullableText,
  journal_name: nullableText,
  journal_id: z.uuid().nullable(),
  semantic_paperid: nullableText,
  authors: z.array(z.string()),
  retracted: z.boolean().describe('a metadata service reports that the paper was retracted'),
  evidence_level: nullableText,
  keywords: z.array(z.string()),
  edited_fields: z
    .array(editableField)
    .describe('fields that a user edited; an analysis overwrites them only on request'),
  status: z.string(),
  status_message: nullableText.describe('why the status is error or why there is no file, as shown to the user'),
  analysis_model: nullableText,
  analyzed_at: nullableText,
  vectorized_at: nullableText,
  created_at: z.string(),
  updated_at: z.string(),
  page_count: z.number().int().nullable(),
  file_size: z.number().int().nullable(),
  extraction_method: z.enum(['text', 'ocr']).nullable(),
  text_warning: textWarning.nullable(),
})
export type DocumentRow = z.infer<typeof documentRow>

const snippetPart = z.object({ text: z.string(), hit: z.boolean() })
export type SnippetPart = z.infer<typeof snippetPart>

/** A row of the list. `snippet` is the text around the match of a search, in plain parts; null without a search. */
export const listedDocument = documentRow.extend({ snippet: z.array(snippetPart).nullable() })
export type ListedDocument = z.infer<typeof listedDocument>

/** A document whose file has the same content. */
export const sameFile = z.object({
  id: z.uuid(),
  title: nullableText,
  filename: z.string(),
  project_name: nullableText,
  created_at: z.string(),
})
export type SameFile = z.infer<typeof sameFile>

/** GET /api/documents/same-file: the SHA-256 of a file's bytes, in hexadecimal digits. */
export const sameFileQuery = z.object({ content_hash: z.string().regex(/^[0-9a-f]{64}$/) })

/** POST /api/documents/sample. */
export const sampleRequest = z.object({ project_id: z.uuid() })

/** A document with all fields. */
export const documentDetail = documentRow.extend({
  abstract: nullableText,
  link: nullableText.describe('web page of a paper that was added without a file'),
  metadata_checked_at: nullableText.describe(
    'when a feed or a metadata service last supplied title, DOI, date and journal',
  ),
  extracted_text: nullableText,
  summary: nullableText,
  lifestyle_recommendations: nullableText,
  social_post: nullableText,
  insights: z.array(z.string()),
  passages: z.array(passage),
  can_undo_analysis: z.boolean().describe('the latest repeated analysis can be undone'),
  analysis_prompt: nullableText.describe('name of the prompt at the time of the analysis'),
  analysis_prompt_version: z.number().int().nullable(),
  analysis_prompt_version_id: z.uuid().nullable().describe('text of the prompt: GET /api/prompt-versions/{id}'),
  embedding_model: nullableText,
  embedding_stale: z.boolean().describe('the vectors come from another model than the current one: vectorize again'),
})
export type DocumentDetail = z.infer<typeof documentDetail>

/** POST /api/documents/{id}/undo-analysis: `analyzed_at` of the analysis to undo. */
export const analysisUndoRequest = z.object({ analyzed_at: z.iso.datetime({ offset: true }) })

/** The document after the undo. `kept`: fields that changed after the analysis and were not reverted. */
export const undoneAnalysis = z.object({ document: documentDetail, kept: z.array(passageField) })
export type UndoneAnalysis = z.infer<typeof undoneAnalysis>

const trimmed = z.string().trim()

/** Duplicates are removed, as on the form. Null means no keywords. */
const keywords = z
  .array(trimmed.min(1).max(200))
  .max(200)
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
    journal_name: trimmed.max(500).nullable(),
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
    semantic_paperid: trimmed.max(200).nullable(),
    retracted: z.boolean(),
    looked_up: z
      .array(editableField)
      .describe('fields of this change with a value from a metadata service: they do not count as edited by the user'),
  })
  .partial()
export type DocumentPatch = z.infer<typeof documentPatch>

/** A query parameter that may be missing or repeated. */
const repeated = <T extends z.ZodType<string>>(one: T) =>
  z.union([z.array(one), one.transform((value) => [value])]).default([])

/** GET /api/documents. */
export const documentsQuery = z.object({
  /** A project, or `none` for the documents without one. */
  project_id: z.union([z.uuid(), z.literal('none')]).optional(),
  status: repeated(z.enum(DOCUMENT_STATUSES)),
  keyword: repeated(z.string().max(200)),
  evidence_level: repeated(z.string().max(500)),
  search: z.string().trim().max(500).default(''),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(DOCUMENTS_PAGE_SIZE),
  order_by: z
    .string()
    .regex(/^(title|journal_name|doi_link|semantic_paperid|status|created_at)(\.(asc|desc))?$/)
    .optional()
    .describe('default: best match first with a search, otherwise created_at.desc'),
})
export type DocumentsQuery = z.infer<typeof documentsQuery>

/** Moves all documents of one project to another. Null means no project, in both fields. */
export const documentsMove = z
  .object({ from_project_id: z.uuid().nullable(), project_id: z.uuid().nullable() })
  .refine((move) => move.from_project_id !== move.project_id, 'Please choose another project.')
export type DocumentsMove = z.infer<typeof documentsMove>

/** Maximum number of documents in a bulk deletion and in its Undo. */
export const BULK_MAX = 1000

/** Error of a bulk deletion without any document of the caller. */
export const NO_VALID_DOCUMENTS = 'No valid documents to delete'

/** Error of a bulk restoration without any deleted document of the caller. */
export const NO_RESTORABLE_DOCUMENTS = 'No valid documents to restore'

/** POST /api/documents/delete and POST /api/documents/restore. */
export const documentIds = z.object({
  document_ids: z
    .array(z.uuid())
    .min(1, 'Select at least one document.')
    .max(BULK_MAX, `At most ${BULK_MAX} documents at a time.`),
})

/** The result of a bulk deletion or of its Undo. */
export const bulkCount = z.object({
  count: z.number().int(),
  missing: z.array(z.uuid()).describe('skipped ids: they do not exist or belong to another user'),
})
export type BulkCount = z.infer<typeof bulkCount>

/** Returns the label of a status. 'processed' and 'completed' are both Completed; an unknown status is Pending. */
export function statusLabel(status: string): 'Pending' | 'Processing' | 'Completed' | 'Error' {
  if (status === 'processing') return 'Processing'
  if (status === 'completed' || status === 'processed') return 'Completed'
  return status === 'error' ? 'Error' : 'Pending'
}

/**
 * Returns the stored name of an upload: its timestamp in milliseconds, an underscore, and the filename. Every character
 * except letters, digits, dot, underscore and hyphen becomes an underscore.
 */
export function storedFileName(filename: string, at: Date): string {
  return `${at.getTime()}_${shortFileName(filename.replace(/[^A-Za-z0-9._-]/g, '_'))}`
}

/** File systems allow 255 bytes for a name. The extension is preserved. */
const FILENAME_MAX = 200
const shortFileName = (name: string) =>
  name.length <= FILENAME_MAX ? name : name.slice(0, FILENAME_MAX - 8) + name.slice(-8)

/**
 * Returns the display name of an uploaded file, without control characters and bidirectional marks. Such marks make
 * `fdp.exe` look like `exe.pdf`.
 */
export function shownFileName(filename: string): string {
  const clean = filename
    .toWellFormed()
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return shortFileName(clean).toWellFormed() || 'document.pdf'
}

/** Returns the title of a document, else its filename. A document without a file can lack both. */
export const documentTitle = (row: { title: string | null; filename: string }) =>
  row.title?.trim() || row.filename || 'Untitled paper'

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

/** Text of a PDF, reduced to characters that the database can store. */
const pdfText = z.string().max(2000).transform(storableText)

/** PUT /api/documents/{id}/text: the text that the browser extracted, with the metadata of the PDF. */
export const extractedByBrowser = z.object({
  extracted_text: z.string().max(MAX_TEXT_CHARACTERS, TEXT_TOO_LARGE).transform(storableText),
  method: z.enum(['text', 'ocr']).default('text'),
  warning: textWarning.nullable().optional(),
  page_count: z.number().int().min(1).max(100_000).nullable().optional(),
  metadata: z.record(z.string().max(40), pdfText).nullable().optional(),
  first_page: z
    .object({
      width: z.number(),
      height: z.number(),
      lines: z.array(z.object({ text: pdfText, size: z.number(), x: z.number(), y: z.number() })).max(1000),
    })
    .nullable()
    .optional(),
})
