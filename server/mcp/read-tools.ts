import { z } from 'zod'
import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow, listDocumentRows, type StoredDocument, withoutText } from '#server/documents/index.ts'
import { findEvidence } from '#server/evidence/index.ts'
import { getJob } from '#server/jobs/index.ts'
import { publicUrl } from '#server/lib/env.ts'
import { listProjects, checkProject } from '#server/projects/index.ts'
import { documentsQuery } from '#shared/contract/document-list.ts'
import { documentTitle, statusLabel } from '#shared/contract/documents.ts'
import { evidence } from '#shared/contract/evidence.ts'
import { job } from '#shared/contract/jobs.ts'
import { pages } from '#shared/contract/paths.ts'
import { projectsQuery } from '#shared/contract/projects.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import { findCitationKeys, findProjectAddress } from './queries.ts'
import { defineTool } from './tool.ts'

export const NO_PAPER = 'No paper with that id. Use search_papers.'
export const NO_PROJECT = 'No project with that id. Use list_projects.'

/**
 * Returns a paper for an action that needs `right`, and the link to its page, which is null for a paper without a project.
 * Throws 'not_found' or 'role'.
 */
export async function findPaper(
  tx: Tx,
  id: string,
  right: ProjectRight,
): Promise<{ row: StoredDocument; link: string | null }> {
  const row = await documentOrThrow(tx, id, right)
  const address = row.project_id === null ? undefined : await findProjectAddress(tx, row.project_id)
  return { row, link: address === undefined ? null : publicUrl() + pages.document(address, id) }
}

export const listProjectsTool = defineTool({
  name: 'list_projects',
  scope: 'read',
  title: 'List projects',
  description:
    'Lists the projects that this key reads, with their research questions and numbers of papers and members.',
  input: z.object({}),
  output: z.object({
    projects: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        research_question: z.string().nullable(),
        papers: z.number().int(),
        members: z.number().int(),
      }),
    ),
  }),
  run: async ({ actor }) => ({
    projects: (await listProjects(actor, projectsQuery.parse({}))).map((row) => ({
      id: row.id,
      name: row.name,
      research_question: row.research_question,
      papers: row.document_count,
      members: row.member_count,
    })),
  }),
})

const listedPaper = z.object({
  id: z.uuid(),
  project_id: z.uuid().nullable(),
  title: z.string(),
  authors: z.array(z.string()),
  year: z.number().int().nullable(),
  journal: z.string().nullable(),
  doi: z.string().nullable(),
  citation_key: z.string().nullable(),
  state: z.enum(['Pending', 'Processing', 'Completed', 'Error']),
  has_file: z.boolean(),
  retracted: z.boolean(),
  snippet: z.string().nullable(),
})

export const searchPapersTool = defineTool({
  name: 'search_papers',
  scope: 'read',
  title: 'Search papers',
  description:
    'Finds papers by words in title, authors, journal, DOI, tags and text, and by filters. Without a query: the newest papers. Pass next_cursor as cursor for the next page.',
  input: z.object({
    project_id: z.uuid().optional(),
    query: z.string().max(500).optional(),
    tags: z.array(z.string().max(200)).max(20).optional(),
    evidence_levels: z.array(z.string().max(500)).max(20).optional(),
    limit: z.number().int().min(1).max(50).default(20),
    cursor: z.coerce
      .string()
      .regex(/^\d{1,6}$/)
      .optional(),
  }),
  hasContent: true,
  output: z.object({
    papers: z.array(listedPaper),
    count: z.number().int(),
    any_word: z.boolean().describe('true if no paper has all words: these have at least one of them'),
    next_cursor: z.string().nullable(),
  }),
  missing: NO_PROJECT,
  run: async ({ actor }, { project_id, query = '', tags = [], evidence_levels = [], limit, cursor = '1' }) => {
    const page = Math.max(1, Number(cursor))
    const search = documentsQuery.parse({ search: query, keyword: tags, evidence_level: evidence_levels, page, limit })
    const list = async (tx: Tx) => {
      const found = await listDocumentRows(tx, { ...search, project_id })
      // A project that the caller does not read has no rows.
      if (project_id && found.count === 0) await checkProject(tx, project_id, 'read')
      const ids = found.rows.map(({ id }) => id)
      return { ...found, keys: await findCitationKeys(tx, ids) }
    }
    const { rows, count, any_word, keys } = await asActor(actor, list, project_id)
    return {
      papers: rows.map((row) => ({
        id: row.id,
        project_id: row.project_id,
        title: documentTitle(row),
        authors: row.authors,
        year: row.ref_year,
        journal: row.journal_name,
        doi: row.doi_link,
        citation_key: keys.get(row.id) ?? null,
        state: statusLabel(row.status),
        has_file: row.source_url !== null,
        retracted: row.retracted,
        snippet: row.snippet?.map(({ text }) => text).join('') ?? null,
      })),
      count,
      any_word,
      next_cursor: page * limit < count ? String(page + 1) : null,
    }
  },
})

export const getPaperTool = defineTool({
  name: 'get_paper',
  scope: 'read',
  title: 'Get a paper',
  description:
    'Returns the reference (CSL-JSON), abstract, analysis and tags of a paper. Each statement of the analysis has evidence: its quote and page, found in the text by the server.',
  input: z.object({ document_id: z.uuid() }),
  hasContent: true,
  output: z.object({
    id: z.uuid(),
    project_id: z.uuid().nullable(),
    reference: z.record(z.string(), z.unknown()),
    abstract: z.string().nullable(),
    analysis: z.object({
      summary: z.string().nullable(),
      insights: z.array(z.string()),
      evidence_level: z.string().nullable(),
      model: z.string().nullable(),
      statements: z.array(z.object({ field: z.string(), statement: z.string(), evidence })),
    }),
    tags: z.array(z.string()),
    state: z.string(),
    state_message: z.string().nullable(),
    pages: z.number().int().nullable(),
    has_text: z.boolean(),
    retracted: z.boolean(),
    link: z.string().nullable(),
  }),
  missing: NO_PAPER,
  run: async ({ actor, signal }, { document_id }) => {
    const { row, link } = await asActor(actor, (tx) => findPaper(tx, document_id, 'read'))
    const paper = withoutText(row)
    const quoted = paper.passages.filter(({ quote }) => quote !== null)
    const wanted = quoted.map(({ quote, page }) => ({ quote: quote!, nearPage: page ?? undefined }))
    const found = wanted.length > 0 ? await findEvidence(actor, document_id, wanted, signal) : []
    return {
      id: paper.id,
      project_id: paper.project_id,
      reference: paper.reference,
      abstract: paper.abstract,
      analysis: {
        summary: paper.summary,
        insights: paper.insights,
        evidence_level: paper.evidence_level,
        model: paper.analysis_model,
        statements: quoted.map(({ field, statement }, index) => ({ field, statement, evidence: found[index]! })),
      },
      tags: paper.keywords,
      state: statusLabel(paper.status),
      state_message: paper.status_message,
      pages: paper.page_count,
      has_text: row.has_text,
      retracted: paper.retracted,
      link,
    }
  },
})

export const jobStatusTool = defineTool({
  name: 'job_status',
  scope: 'read',
  title: 'Get the state of a job',
  description:
    'Returns the state, the progress in percent and the result of a job, such as the search for the PDF of an added paper.',
  input: z.object({ job_id: z.uuid() }),
  output: z.object({
    id: z.uuid(),
    kind: z.string(),
    state: job.shape.status,
    progress: z.number(),
    progress_text: z.string().nullable(),
    error: z.string().nullable(),
    document_id: z.uuid().nullable(),
    result: z.record(z.string(), z.unknown()).nullable(),
  }),
  missing: 'No job with that id. Jobs are deleted a week after their end.',
  run: async ({ actor }, { job_id }) => {
    const { id, kind, status, progress, progress_text, error, document_id, result } = await getJob(actor, job_id)
    return { id, kind, state: status, progress, progress_text, error, document_id, result }
  },
})
