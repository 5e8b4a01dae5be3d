import { z } from 'zod'
import { DOCUMENT_SORTS, DOCUMENTS_PAGE_SIZE } from './address-values.ts'
import { DOCUMENT_STATUSES, listedDocument } from './documents.ts'

export type DocumentSort = (typeof DOCUMENT_SORTS)[number]

/** A document whose file has the requested content hash. */
export const sameFile = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  filename: z.string(),
  project_name: z.string().nullable(),
  project_address: z.string().nullable(),
  created_at: z.string(),
})
export type SameFile = z.infer<typeof sameFile>

/**
 * Query parameters of GET /api/documents/same-file, which lists documents with the same file. `content_hash` is the SHA-256 of
 * the file in hexadecimal digits. Without `project_id`, the documents of all projects are searched.
 */
export const sameFileQuery = z.object({
  content_hash: z.string().regex(/^[0-9a-f]{64}$/),
  project_id: z.uuid().optional(),
})
export type SameFileQuery = z.infer<typeof sameFileQuery>

/** A query parameter that may be missing or repeated. */
const repeated = <T extends z.ZodType<string>>(one: T) =>
  z.union([z.array(one), one.transform((value) => [value])]).default([])

/** Query parameters of GET /api/documents. */
export const documentsQuery = z.object({
  /** The id of a project, or `none` for the documents without a project. */
  project_id: z.union([z.uuid(), z.literal('none')]).optional(),
  status: repeated(z.enum(DOCUMENT_STATUSES)),
  keyword: repeated(z.string().max(200)),
  evidence_level: repeated(z.string().max(500)),
  search: z.string().trim().max(500).default(''),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(DOCUMENTS_PAGE_SIZE),
  order_by: z
    .string()
    .regex(new RegExp(`^(${DOCUMENT_SORTS.join('|')})(\\.(asc|desc))?$`))
    .optional()
    .describe('default: best match first with a search, otherwise created_at.desc'),
})
export type DocumentsQuery = z.infer<typeof documentsQuery>

/** The answer of GET /api/documents. */
export const documentsPage = z.object({
  data: z.array(listedDocument),
  count: z.number().int(),
  any_word: z
    .boolean()
    .describe(
      'true if no document has all words of the search: these have at least one of them, most and rarest first',
    ),
})

const documentCount = z.number().int()

/**
 * Response of GET /api/documents/filters: the filter options for the documents of a project, with the number of documents
 * of each.
 */
export const documentFilters = z.object({
  statuses: z.array(z.object({ status: z.string(), document_count: documentCount })),
  evidence_levels: z.array(z.object({ level: z.string(), document_count: documentCount })),
  tags: z.array(z.object({ name: z.string(), document_count: documentCount })),
})
export type DocumentFilters = z.infer<typeof documentFilters>
