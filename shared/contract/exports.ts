import { z } from 'zod'
import { documentsQuery } from './document-list.ts'
import { WRITE_FORMATS, type WriteFormat } from './reference-formats.ts'

/** The formats of an export: reference files, and `pdfs`: a ZIP file of the PDFs with a BibTeX file that names them. */
export const EXPORT_FORMATS = [...(Object.keys(WRITE_FORMATS) as WriteFormat[]), 'pdfs'] as const
export const exportFormat = z.enum(EXPORT_FORMATS)
export type ExportFormat = z.infer<typeof exportFormat>

/** The formats that can write characters outside ASCII as LaTeX. */
export const LATEX_FORMATS: readonly ExportFormat[] = ['bibtex', 'biblatex', 'pdfs']

/** Maximum number of papers in an export, and maximum number of ids in one request for an export. */
export const EXPORT_MAX = 100_000
export const EXPORT_IDS_MAX = 10_000

/** The parameters of GET /api/documents that select documents and their order. */
export const exportFilter = documentsQuery.omit({ project_id: true, page: true, limit: true })

/** Body of POST /api/exports. */
export const exportInput = z
  .object({
    project_id: z.uuid().nullable().describe('the project of the papers; null: your papers without a project'),
    ids: z
      .array(z.uuid())
      .min(1, 'Choose at least one paper.')
      .max(EXPORT_IDS_MAX, `At most ${EXPORT_IDS_MAX} papers can be chosen. Use a filter.`)
      .optional()
      .describe('documents, in the order of the file'),
    filter: exportFilter
      .optional()
      .describe('the parameters of GET /api/documents; without ids and filter: all papers, newest first'),
    format: exportFormat,
    options: z
      .object({ latex: z.boolean().default(false).describe('BibTeX: write characters outside ASCII as LaTeX') })
      .default({ latex: false }),
  })
  .refine(({ ids, filter }) => !ids || !filter, { message: 'Use either ids or filter.', path: ['filter'] })
export type ExportInput = z.output<typeof exportInput>

/**
 * Response headers of an export: the number of exported papers, and the number of papers that are left out. The format nbib
 * leaves out papers without a PMID, and the format pdfs leaves out papers without a PDF.
 */
export const EXPORT_HEADERS = { count: 'x-exported-count', leftOut: 'x-left-out-count' } as const
