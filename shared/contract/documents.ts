import { z } from 'zod'
import { passage, passageField } from './passages.ts'
import { CSL_DATE_FIELDS, CSL_NAME_FIELDS, CSL_TEXT_FIELDS, reference } from './references.ts'
import { projectRight } from './roles.ts'
import { rowVersion } from './versions.ts'

export const DOCUMENT_STATUSES = ['pending', 'processing', 'processed', 'completed', 'error'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

/**
 * Why an extracted text is unreliable. 'scan': the pages are images, and the text layer is almost empty. 'garbled': the
 * font map of the text layer is wrong. OCR is recommended for these two. 'sparse': OCR found hardly any text. 'damaged': some
 * pages could not be read, and their text is missing.
 */
export const textWarning = z.enum(['scan', 'garbled', 'sparse', 'damaged'])
export type TextWarning = z.infer<typeof textWarning>

const nullableText = z.string().nullable()

/** Fields that a user can edit and that an analysis or a metadata look-up also fills. */
export const editableField = z.enum([...passageField.options, 'abstract'])
export type EditableField = z.infer<typeof editableField>

/** CSL fields that `editableField` already contains, most of them under another name. */
const NAMED_OTHERWISE = ['title', 'DOI', 'issued', 'container-title', 'author', 'abstract'] as const
type NamedOtherwise = (typeof NAMED_OTHERWISE)[number]

const ownNames = <Name extends string>(names: readonly Name[]) =>
  names.filter((name): name is Exclude<Name, NamedOtherwise> => !NAMED_OTHERWISE.some((other) => other === name))

/**
 * Names of fields that a user can edit: first the fields of `editableField`, then fields of a reference by their names in CSL.
 */
export const editedField = z.enum([
  ...editableField.options,
  'type',
  ...ownNames(CSL_TEXT_FIELDS),
  ...ownNames(CSL_NAME_FIELDS),
  ...ownNames(CSL_DATE_FIELDS),
])
export type EditedField = z.infer<typeof editedField>

/**
 * Fields of a paper that imports, feeds and metadata services fill. After one of these sources has filled a field
 * (`metadata_checked_at` is set), an analysis does not change the field.
 */
export const CHECKED_FIELDS = ['title', 'authors', 'doi_link', 'publication_date', 'journal_name'] as const
/** Returns whether a field is one of CHECKED_FIELDS. */
export const isCheckedField = (field: EditedField | undefined) =>
  (CHECKED_FIELDS as readonly (EditedField | undefined)[]).includes(field)

/** A row of the documents list: all fields except the long texts. */
export const documentRow = z.object({
  id: z.uuid(),
  project_id: z.uuid().nullable(),
  owner_id: z.string().nullable().describe('the account that created it; null after the account is deleted'),
  title: nullableText,
  filename: z.string(),
  source_url: nullableText.describe('where the PDF is stored; null for a paper without a file'),
  doi_link: nullableText,
  publication_date: nullableText,
  journal_name: nullableText,
  journal_id: z.uuid().nullable(),
  semantic_paperid: nullableText,
  authors: z.array(z.string()),
  authors_short: z.string().describe("family names of one or two authors; of the first and 'et al.' for more"),
  retracted: z.boolean().describe('a metadata service reports that the paper was retracted'),
  evidence_level: nullableText,
  keywords: z.array(z.string()),
  ref_year: z.number().int().nullable().describe('the year of publication'),
  edited_fields: z
    .array(editedField)
    .describe('fields that a user edited; an analysis overwrites them only on request'),
  status: z.string(),
  status_message: nullableText.describe('why the status is error or why there is no file, as shown to the user'),
  failed_step: z
    .enum(['extract', 'ocr', 'analyze'])
    .nullable()
    .describe('kind of the job that set the status error; null with another status or without a job'),
  vector_error: nullableText.describe(
    'why vectorizing failed the last time; null if it did not fail or the document has vectors',
  ),
  analysis_model: nullableText,
  analyzed_at: nullableText,
  vectorized_at: nullableText,
  created_at: z.string(),
  updated_at: z.string(),
  version: rowVersion,
  page_count: z.number().int().nullable(),
  file_size: z.number().int().nullable(),
  extraction_method: z.enum(['text', 'ocr']).nullable(),
  text_warning: textWarning.nullable(),
  may: z.array(projectRight).describe('the rights of the caller'),
})
export type DocumentRow = z.infer<typeof documentRow>

const snippetPart = z.object({ text: z.string(), hit: z.boolean() })
export type SnippetPart = z.infer<typeof snippetPart>

/**
 * A row of the documents list. `snippet` is the text around the match of a search, in parts; `hit` is true for the part that
 * matches. `snippet` is null if the text has no match.
 */
export const listedDocument = documentRow.extend({
  snippet: z.array(snippetPart).nullable(),
  removed_in_zotero: z.boolean().describe('all items of Zotero from which it comes were removed there'),
})
export type ListedDocument = z.infer<typeof listedDocument>

/**
 * Maximum number of characters of `beginning`, the beginning of an offered text. If OCR finds a poorer text than the current
 * text of a document, the OCR text does not replace the current text. It is offered to the user, who chooses one of the two
 * texts.
 */
export const OFFER_BEGINNING = 1000

const textOffer = z.object({
  letters: z.number().int().describe('letters and digits of the offered text'),
  current_letters: z.number().int().describe('letters and digits of the current text'),
  beginning: z.string().describe(`the first ${OFFER_BEGINNING} characters of the offered text`),
})
export type TextOffer = z.infer<typeof textOffer>

/**
 * Body of POST /api/documents/{id}/text-choice, by which a user chooses the text of a document. 'current': keeps the current
 * text. 'offered': replaces it by the text that OCR offers.
 */
export const textChoice = z.object({ use: z.enum(['current', 'offered']) })

const analysisRun = z.object({
  id: z.uuid(),
  number: z.number().int(),
  cached: z.boolean().describe('the output of an earlier run with the same input was used'),
})
export type AnalysisRun = z.infer<typeof analysisRun>

/** A document with all fields. */
export const documentDetail = documentRow.extend({
  reference: reference
    .extend({ custom: z.record(z.string(), z.any()).optional() })
    .describe(
      'bibliographic data, an item of CSL-JSON 1.0.2; title, doi_link, publication_date, journal_name, authors, abstract and link are the same data',
    ),
  abstract: nullableText,
  link: nullableText.describe('web page of a paper that was added without a file'),
  metadata_checked_at: nullableText.describe(
    'when an import, a feed or a metadata service last supplied title, authors, DOI, date or journal',
  ),
  extracted_text: nullableText,
  ocr_pages: z.array(z.number().int()).describe('pages whose text was read by OCR, counted from 1'),
  text_offer: textOffer
    .nullable()
    .describe(
      'a text of OCR that is poorer than the current text: POST /api/documents/{id}/text-choice chooses one of them',
    ),
  summary: nullableText,
  lifestyle_recommendations: nullableText,
  social_post: nullableText,
  insights: z.array(z.string()),
  passages: z.array(passage),
  can_undo_analysis: z.boolean().describe('the latest repeated analysis can be undone'),
  analysis_prompt: nullableText.describe('name of the prompt at the time of the analysis'),
  analysis_prompt_version: z.number().int().nullable(),
  analysis_prompt_version_id: z.uuid().nullable().describe('text of the prompt: GET /api/prompt-versions/{id}'),
  run: analysisRun.nullable().describe('the run of the analysis: GET /api/runs/{id}; null outside a project'),
  embedding_model: nullableText,
  embedding_stale: z.boolean().describe('the vectors come from another model than the current one: vectorize again'),
})
export type DocumentDetail = z.infer<typeof documentDetail>

/**
 * Returns the label of the status of a document. 'processed' and 'completed' are both Completed; an unknown status is Pending.
 */
export function statusLabel(status: string): 'Pending' | 'Processing' | 'Completed' | 'Error' {
  if (status === 'processing') return 'Processing'
  if (status === 'completed' || status === 'processed') return 'Completed'
  return status === 'error' ? 'Error' : 'Pending'
}

/** Returns the title of a document, else its filename, else 'Untitled paper': a document without a file can lack both. */
export const documentTitle = (row: { title: string | null; filename: string }) =>
  row.title?.trim() || row.filename || 'Untitled paper'
