import { z } from 'zod'
import { grouped } from '#shared/text/numbers.ts'
import { calendarDay } from './calendar-day.ts'
import { csvColumns } from './csv-fields.ts'
import { RECORD_OUTCOMES } from './address-values.ts'
import { TAG_MAX } from './document-edits.ts'
import { projectRight } from './roles.ts'
import { readFormat } from './reference-formats.ts'

/** The ways by which papers are added to a project. */
export const IMPORT_KINDS = [
  'file',
  'zotero',
  'identifiers',
  'feed',
  'recommendation',
  'drive',
  'upload',
  'api',
] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** The kinds of sources from which the references of an import come, with their labels. */
export const SOURCE_KINDS = {
  database: 'Database',
  register: 'Register',
  website: 'Website',
  organisation: 'Organisation',
  citation_searching: 'Citation searching',
  previous_review: 'Previous review',
  other: 'Other',
} as const
export type SourceKind = keyof typeof SOURCE_KINDS
const SOURCE_KIND_NAMES = Object.keys(SOURCE_KINDS) as [SourceKind, ...SourceKind[]]

/** Suggestions for the name of a source. Other names are allowed. */
export const SOURCE_SUGGESTIONS = [
  'PubMed',
  'Embase',
  'Scopus',
  'Web of Science',
  'CENTRAL',
  'PsycINFO',
  'CINAHL',
  'Google Scholar',
  'OpenAlex',
  'MEDLINE',
  'IEEE Xplore',
  'ClinicalTrials.gov',
] as const

/** Maximum number of files in a request, of characters of the name of a source, of characters of a search, and of tags. */
export const MAX_IMPORT_FILES = 20
const SOURCE_NAME_MAX = 200
const SEARCH_TEXT_MAX = 50_000
const MAX_IMPORT_TAGS = 50

const yes = z.enum(['true', 'false']).transform((value) => value === 'true')
const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('This is not valid JSON.')
        return z.NEVER
      }
    })
    .pipe(schema)

/** The form fields of POST /api/imports/preview, besides the files. */
export const previewFields = z.object({
  format: readFormat.optional(),
  columns: json(csvColumns).optional().describe('JSON: the place of the column of each field of a CSV file'),
})

/** The form fields of POST /api/imports, besides the files. */
export const importFields = previewFields.extend({
  project_id: z.uuid(),
  source_name: z
    .string()
    .trim()
    .max(SOURCE_NAME_MAX, `The name of a source has at most ${SOURCE_NAME_MAX} characters.`)
    .optional(),
  source_kind: z.enum(SOURCE_KIND_NAMES).optional().describe("default 'database'"),
  searched_on: z
    .union([z.literal(''), calendarDay])
    .optional()
    .describe('the day of the search, YYYY-MM-DD'),
  search_text: z
    .string()
    .max(SEARCH_TEXT_MAX, `A search has at most ${grouped(SEARCH_TEXT_MAX)} characters.`)
    .optional(),
  join_duplicates: yes.optional().describe('join records that are certainly the same paper; default true'),
  keep_citation_keys: yes.optional().describe('default true'),
  groups_as_tags: yes.optional().describe('default false'),
  fetch_pdfs: yes.optional().describe('search for open-access PDFs after the import; default false'),
  tags: json(
    z
      .array(z.string().trim().min(1).max(TAG_MAX, `A tag has at most ${TAG_MAX} characters.`))
      .max(MAX_IMPORT_TAGS, `An import has at most ${MAX_IMPORT_TAGS} tags.`),
  )
    .optional()
    .describe('JSON: a list of tags for every paper of the file'),
})
export type ImportFields = z.infer<typeof importFields>

/** A record in the preview of an import. `reason` is the reason why the record cannot be read, or null. */
const previewRecord = z.object({
  position: z.number().int(),
  title: z.string().nullable(),
  authors: z.array(z.string()),
  year: z.number().int().nullable(),
  reason: z.string().nullable(),
})

/** The result of POST /api/imports/preview. */
export const importPreview = z.object({
  format: readFormat,
  count: z.number().int(),
  records: z.array(previewRecord).describe('the first three'),
  has_groups: z.boolean(),
  columns: z
    .object({ header: z.array(z.string()), rows: z.array(z.array(z.string())), matched: csvColumns })
    .nullable()
    .describe('of a CSV file'),
})
export type ImportPreview = z.infer<typeof importPreview>

/** The number of records of an import with each outcome. `joined_within_count` is a part of `joined_count`. */
const counts = {
  read_count: z.number().int(),
  created_count: z.number().int(),
  joined_count: z.number().int(),
  joined_within_count: z.number().int().describe('joined with another record of the same file'),
  skipped_count: z.number().int(),
  failed_count: z.number().int(),
}

/** The state of an import. Only imports of reference files and of Zotero libraries have other states than 'done'. */
export const IMPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** An import, which is one addition of papers to a project, with its source and the numbers of its records by outcome. */
export const importRow = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  kind: z.enum(IMPORT_KINDS),
  state: z.enum(IMPORT_STATES),
  error: z.string().nullable(),
  job_id: z.uuid().nullable(),
  created_by: z.string().nullable(),
  created_by_name: z.string().nullable(),
  source_name: z.string().nullable(),
  source_kind: z.enum(SOURCE_KIND_NAMES).nullable(),
  search_text: z.string().nullable(),
  searched_on: z.string().nullable(),
  filename: z.string().nullable(),
  format: z.string().nullable(),
  file_hash: z.string().nullable(),
  total_count: z.number().int().nullable().describe('the records of the file, before they are read'),
  ...counts,
  created_at: z.string(),
  undone_at: z.string().nullable(),
  may: z.array(projectRight),
})
export type ImportRow = z.infer<typeof importRow>

/** The numbers of records by outcome, summed over all imports of a project. Undone imports are not counted. */
export const importTotals = z.object(counts)

/** One import, with the effect of its undo: how many papers would be deleted, and how many would stay. */
export const importDetail = importRow.extend({
  undo: z.object({ deleted: z.number().int(), stays: z.number().int() }),
  has_file: z.boolean().describe('the file can be downloaded'),
})
export type ImportDetail = z.infer<typeof importDetail>

export type RecordOutcome = (typeof RECORD_OUTCOMES)[number]

/**
 * A record of an import, which is one reference in the imported file or source, as lists show it. `has_raw` is true if the text
 * from which the record was read is stored; `importRecord` contains this text.
 */
export const importRecordRow = z.object({
  id: z.uuid(),
  position: z.number().int(),
  line: z.number().int().nullable().describe('the first line of the record in its file, from 1'),
  title: z.string().nullable(),
  authors: z.array(z.string()),
  year: z.number().int().nullable(),
  outcome: z.enum(RECORD_OUTCOMES),
  reason: z.string().nullable(),
  has_raw: z.boolean(),
  document: z
    .object({ id: z.uuid(), title: z.string().nullable(), citation_key: z.string().nullable() })
    .nullable()
    .describe('the paper; null for a failed or skipped record, and when the paper is deleted or in another project'),
})
export type ImportRecordRow = z.infer<typeof importRecordRow>

/** A record of an import with its parsed reference, and with `raw`, the text from which it was read (at most 64 kB). */
export const importRecord = importRecordRow.extend({
  raw: z.string().nullable(),
  reference: z.record(z.string(), z.unknown()),
})
export type ImportRecord = z.infer<typeof importRecord>

/**
 * The result of the undo of an import. `deleted` papers were moved to the trash. `stays` papers of the import remain, because
 * they have a file or another import also contains them.
 */
export const undoneImport = z.object({ import: importRow, deleted: z.number().int(), stays: z.number().int() })

/** The result of an import job, also of one that failed or was cancelled. */
export const importResult = z.object({
  import_ids: z.array(z.string()),
  filenames: z.array(z.string().nullable()),
  read: z.number(),
  created: z.number(),
  joined: z.number(),
  joined_within: z.number(),
  failed: z.number(),
})
