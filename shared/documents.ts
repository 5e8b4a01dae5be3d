import { z } from 'zod'
import { passage, passageField } from './passages.ts'
import { storableText } from './storable-text.ts'
import { MAX_TEXT_CHARACTERS, TEXT_TOO_LARGE } from './text-limits.ts'

export const DOCUMENT_STATUSES = ['pending', 'processing', 'processed', 'completed', 'error'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

export const DOCUMENTS_PAGE_SIZE = 10
export const DOCUMENTS_PAGE_SIZES = [10, 20, 30, 40, 50] as const

/** The one refusal of a file that is not a PDF, by its name or by its content. */
export const NOT_A_PDF = 'This file is not a PDF. Only PDF files are accepted.'

/**
 * Why an extracted text is not to be trusted. 'scan': the pages are images, so the text layer holds hardly any text.
 * 'garbled': the font map of the text layer is wrong. OCR is recommended for these two. 'sparse': OCR found hardly any
 * text. 'damaged': some pages could not be read and their text is missing.
 */
export const textWarning = z.enum(['scan', 'garbled', 'sparse', 'damaged'])
export type TextWarning = z.infer<typeof textWarning>

const nullableText = z.string().nullable()

/** The fields that a person can edit and that a machine also fills: those of an analysis, and two of a metadata look-up. */
export const editableField = z.enum([...passageField.options, 'authors', 'abstract'])
export type EditableField = z.infer<typeof editableField>

/** A row of the documents list: everything but the long texts. */
export const documentRow = z.object({
  id: z.uuid(),
  project_id: z.uuid().nullable(),
  owner_id: z.string(),
  title: nullableText,
  filename: z.string(),
  source_url: nullableText.describe('where the PDF is stored; null for a paper known by its metadata alone'),
  doi_link: nullableText,
  publication_date: nullableText,
  journal_name: nullableText,
  journal_id: z.uuid().nullable(),
  semantic_paperid: nullableText,
  authors: z.array(z.string()),
  retracted: z.boolean().describe('a service says that the paper was retracted'),
  evidence_level: nullableText,
  keywords: z.array(z.string()),
  edited_fields: z
    .array(editableField)
    .describe('the fields that a person edited: no analysis overwrites them unasked'),
  status: z.string(),
  status_message: nullableText.describe('why the status is error or why there is no file, in words for a person'),
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

/** A row of the list; under a search with the place where the words stand, in plain parts. */
export const listedDocument = documentRow.extend({ snippet: z.array(snippetPart).nullable() })
export type ListedDocument = z.infer<typeof listedDocument>

/** A document whose file has the same content as another one. */
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

/** One whole document. */
export const documentDetail = documentRow.extend({
  abstract: nullableText,
  link: nullableText.describe('the page of a paper that was added without a file'),
  metadata_checked_at: nullableText.describe('when a journal or a service last gave title, DOI, date and journal'),
  extracted_text: nullableText,
  summary: nullableText,
  lifestyle_recommendations: nullableText,
  social_post: nullableText,
  insights: z.array(z.string()),
  passages: z.array(passage),
  can_undo_analysis: z.boolean().describe('the latest repeated analysis can be undone'),
  analysis_prompt: nullableText.describe('what the prompt of the analysis was called then'),
  analysis_prompt_version: z.number().int().nullable(),
  analysis_prompt_version_id: z.uuid().nullable().describe('its words: GET /api/prompt-versions/{id}'),
  embedding_model: nullableText,
  embedding_stale: z.boolean().describe('vectorised with another model than the one in use: re-vectorise'),
})
export type DocumentDetail = z.infer<typeof documentDetail>

/** POST /api/documents/{id}/undo-analysis: the time of the analysis to undo, as `analyzed_at` of the document gives it. */
export const analysisUndoRequest = z.object({ analyzed_at: z.iso.datetime({ offset: true }) })

/** The document after the undo, and the fields that changed since the analysis and stayed. */
export const undoneAnalysis = z.object({ document: documentDetail, kept: z.array(passageField) })
export type UndoneAnalysis = z.infer<typeof undoneAnalysis>

const trimmed = z.string().trim()

/** Those that are there already are left out, as on the form; null is none. */
const keywords = z
  .array(trimmed.min(1).max(200))
  .max(200)
  .nullable()
  .transform((words) => [...new Set(words)])

/** PATCH /api/documents/{id}. Insights may arrive as a JSON string, which is parsed; what is no array is ignored. */
export const documentPatch = z
  .object({
    title: trimmed.max(2000).nullable(),
    doi_link: trimmed.max(500).nullable(),
    publication_date: z.iso
      .date()
      .refine((date) => !date.startsWith('0000'), 'There is no year 0')
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
      .describe(
        'the fields of this change whose values a metadata service gave: they do not count as edited by a person',
      ),
  })
  .partial()
export type DocumentPatch = z.infer<typeof documentPatch>

/** A repeated parameter: once, several times or not at all. */
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
    .describe('created_at.desc when nothing is searched for, else the best match first'),
})
export type DocumentsQuery = z.infer<typeof documentsQuery>

/** All documents of one project move to another; null stands for no project, on either side. */
export const documentsMove = z
  .object({ from_project_id: z.uuid().nullable(), project_id: z.uuid().nullable() })
  .refine((move) => move.from_project_id !== move.project_id, 'Please choose another project.')
export type DocumentsMove = z.infer<typeof documentsMove>

/** The most documents of one bulk deletion, and of its Undo. */
export const BULK_MAX = 1000

/** The refusal of a bulk deletion in which no id is a document of the caller. */
export const NO_VALID_DOCUMENTS = 'No valid documents to delete'

/** The refusal of a bulk restoration in which no id is a document of the caller that can be restored. */
export const NO_RESTORABLE_DOCUMENTS = 'No valid documents to restore'

/** POST /api/documents/delete and POST /api/documents/restore. */
export const documentIds = z.object({
  document_ids: z
    .array(z.uuid())
    .min(1, 'Name at least one document.')
    .max(BULK_MAX, `At most ${BULK_MAX} documents at a time.`),
})

/** The result of a bulk deletion or of its Undo. */
export const bulkCount = z.object({
  count: z.number().int(),
  missing: z.array(z.uuid()).describe('ids that were skipped: they do not exist or belong to somebody else'),
})
export type BulkCount = z.infer<typeof bulkCount>

/** Statuses as people read them: processed and completed are both Completed, an unknown one is Pending. */
export function statusLabel(status: string): 'Pending' | 'Processing' | 'Completed' | 'Error' {
  if (status === 'processing') return 'Processing'
  if (status === 'completed' || status === 'processed') return 'Completed'
  return status === 'error' ? 'Error' : 'Pending'
}

/**
 * The stored name of an upload: every character other than letters, digits, dot, underscore and hyphen becomes an
 * underscore, prefixed with the upload's timestamp in milliseconds.
 */
export function storedFileName(filename: string, at: Date): string {
  return `${at.getTime()}_${shortFileName(filename.replace(/[^A-Za-z0-9._-]/g, '_'))}`
}

/** File systems take 255 bytes for a name; the ending stays. */
const FILENAME_MAX = 200
const shortFileName = (name: string) =>
  name.length <= FILENAME_MAX ? name : name.slice(0, FILENAME_MAX - 8) + name.slice(-8)

/** The name of an uploaded file as it is shown: without control characters and the marks that turn the reading direction, which make `fdp.exe` look like `exe.pdf`. */
export function shownFileName(filename: string): string {
  const clean = filename
    .toWellFormed()
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return shortFileName(clean).toWellFormed() || 'document.pdf'
}

/** What people call the document: its title, else its filename, which one without a file lacks. */
export const documentTitle = (row: { title: string | null; filename: string }) =>
  row.title?.trim() || row.filename || 'Untitled paper'

/** One insight per line: lines are trimmed and empty ones dropped; if none remains the raw text is kept. */
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

/** What a PDF says is taken as far as it can be stored. */
const pdfText = z.string().max(2000).transform(storableText)

/** PUT /api/documents/{id}/text: what option 1 read in the browser, with what the PDF says of itself. */
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
