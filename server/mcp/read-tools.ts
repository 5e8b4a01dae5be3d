import { z } from 'zod'
import { asActor } from '#server/db/client.ts'
import { getDocument, listDocuments } from '#server/documents/index.ts'
import { findEvidence } from '#server/evidence/index.ts'
import { getJob } from '#server/jobs/index.ts'
import { publicUrl } from '#server/lib/env.ts'
import { getProject, listProjects } from '#server/projects/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { documentsQuery } from '#shared/contract/document-list.ts'
import { documentTitle, statusLabel } from '#shared/contract/documents.ts'
import { evidence } from '#shared/contract/evidence.ts'
import { job } from '#shared/contract/jobs.ts'
import { pages } from '#shared/contract/paths.ts'
import { projectsQuery } from '#shared/contract/projects.ts'
import { findCitationKeys } from './queries.ts'
import { defineTool } from './tool.ts'

export const NO_PAPER = 'No paper with that id. Use search_papers.'
const NO_PROJECT = 'No project with that id. Use list_projects.'

/** Returns the address of the page of a paper; null for a paper without a project. */
export async function linkOf(actor: Actor, projectId: string | null, id: string): Promise<string | null> {
  if (projectId === null) return null
  return publicUrl() + pages.document((await getProject(actor, projectId)).address, id)
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
    next_cursor: z.string().nullable(),
  }),
  missing: NO_PROJECT,
  run: async ({ actor }, { project_id, query = '', tags = [], evidence_levels = [], limit, cursor = '1' }) => {
    if (project_id) await getProject(actor, project_id)
    const page = Math.max(1, Number(cursor))
    const search = documentsQuery.parse({ search: query, keyword: tags, evidence_level: evidence_levels, page, limit })
    const { rows, count } = await listDocuments(actor, { ...search, project_id })
    const ids = rows.map(({ id }) => id)
    const keys = await asActor(actor, (tx) => findCitationKeys(tx, ids))
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
    const paper = await getDocument(actor, document_id)
    const quoted = paper.passages.filter(({ quote }) => quote !== null)
    const wanted = quoted.map(({ quote, page }) => ({ quote: quote!, nearPage: page ?? undefined }))
    const found = await findEvidence(actor, document_id, wanted, signal)
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
      has_text: Boolean(paper.extracted_text),
      retracted: paper.retracted,
      link: await linkOf(actor, paper.project_id, paper.id),
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
