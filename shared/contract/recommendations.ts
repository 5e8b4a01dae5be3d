import { z } from 'zod'
import { calendarDay } from './calendar-day.ts'
import { documentRow } from './documents.ts'
import { job } from './jobs.ts'
import { storableText } from '../text/storable-text.ts'
import { projectRight } from './roles.ts'
import { rowVersion, seenVersion } from './versions.ts'

/** Error when the project has no research question, or the server function research-agent gets an empty one. */
export const NO_QUESTION = 'No research question found'
/** Error of a job that found papers and could not store them. */
export const SAVING_FAILED = 'Error saving recommendations'

/** Why a paper is recommended. The card shows these reasons. */
export const recommendationReason = z.object({
  terms: z.array(z.string()).describe('words and phrases of the question in title or abstract, most specific first'),
  like: z
    .object({ document_id: z.uuid(), title: z.string() })
    .nullable()
    .describe('the most similar paper of the project, if one is similar'),
  recent: z.boolean().describe('published within two years before the search'),
})
export type RecommendationReason = z.infer<typeof recommendationReason>

export const recommendation = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  owner_id: z.string().nullable().describe('the account that created it; null after the account is deleted'),
  may: z.array(projectRight).describe('the rights of the caller'),
  title: z.string(),
  publication_date: z.string().nullable(),
  abstract: z.string().nullable(),
  doi_link: z.string().nullable(),
  pdf_link: z.string().nullable(),
  status: z.enum(['pending', 'rejected']),
  authors: z.array(z.string()),
  journal_name: z.string().nullable(),
  link: z.string().nullable().describe('web page of the paper'),
  open_access: z.boolean(),
  cited_by: z.number().int(),
  why: recommendationReason.nullable(),
  document_id: z.uuid().nullable().describe('the document that was created from it'),
  created_at: z.string(),
  version: rowVersion,
})
export type Recommendation = z.infer<typeof recommendation>

const text = (max: number) => z.string().trim().max(max).transform(storableText)
const address = z.url({ protocol: /^https?$/, error: 'Only http and https addresses can be opened.' }).max(2000)

/** A recommended paper: in the response of the server function research-agent, and in a request that stores recommendations. */
export const recommendedPaper = z.object({
  title: text(2000).refine(Boolean, 'Title is required'),
  publication_date: calendarDay.nullable().default(null),
  abstract: text(50_000).nullable().default(null),
  doi_link: text(500).nullable().default(null),
  pdf_link: address.nullable().default(null),
})
export type RecommendedPaper = z.infer<typeof recommendedPaper>

export const recommendationsInput = z.object({
  project_id: z.uuid(),
  papers: z.array(recommendedPaper).min(1).max(100),
})

export const recommendationsQuery = z.object({
  project_id: z.uuid('Project not found'),
  status: z.enum(['pending', 'rejected']).default('pending'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(100),
})
export type RecommendationsQuery = z.output<typeof recommendationsQuery>

/** Body of PATCH /api/recommendations/{id}. The status 'rejected' dismisses a recommendation; 'pending' restores it. */
export const recommendationChange = z.object({
  status: z.enum(['pending', 'rejected']),
  version: seenVersion.optional(),
})
export type RecommendationChange = z.infer<typeof recommendationChange>

/** Result of 'Add to project'. `created` is false if the project has the paper already. */
export const addedRecommendation = z.object({
  recommendation,
  document: documentRow,
  created: z.boolean(),
  job: job.nullable().describe('the search for the open-access PDF'),
})
export type AddedRecommendation = z.infer<typeof addedRecommendation>
