import { z } from 'zod'
import { projectRight } from './roles.ts'

/**
 * The kinds of background jobs. 'process' runs the first four kinds for several documents; 'fetch' searches for the open-access
 * PDF of a paper; 'import' adds the records of reference files; 'journals' updates the catalog; 'research' searches for papers
 * to recommend; 'duplicates' compares the papers of a project; 'zotero' imports from libraries of Zotero.
 */
export const JOB_KINDS = [
  'extract',
  'ocr',
  'analyze',
  'vectorize',
  'process',
  'fetch',
  'import',
  'journals',
  'research',
  'duplicates',
  'zotero',
] as const
export const jobKind = z.enum(JOB_KINDS)
export type JobKind = z.infer<typeof jobKind>

/** Value of `error` when a user has cancelled the job. */
export const JOB_CANCELLED = 'Cancelled'

/** Value of `progress_text` of a job that waits because the upload of its document is paused. */
export const JOB_PAUSED = 'The processing of this upload is paused.'

/** Maximum of `past_ms` of GET /api/events: a new stream can repeat the events of this many milliseconds before its request. */
export const MOST_PAST_MS = 60_000

export const job = z.object({
  id: z.uuid(),
  kind: jobKind,
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  progress: z.number().min(0).max(100),
  progress_text: z.string().nullable().describe("for example 'Reading page 9 of 14'"),
  error: z.string().nullable(),
  error_code: z.string().nullable().describe('the code of the error, as in error responses; null without one'),
  result: z.record(z.string(), z.unknown()).nullable(),
  document_id: z.uuid().nullable(),
  project_id: z.uuid().nullable(),
  is_own: z.boolean().describe('the caller started the job and can cancel it'),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Job = z.infer<typeof job>

/** A job in the responses of GET /api/jobs, and in the events of a stream. */
export const listedJob = job.extend({ may: z.array(projectRight).describe('the rights of the caller in its project') })
export type ListedJob = z.infer<typeof listedJob>

/**
 * A change of a project. `part` is the list of the project that changed; it is missing if the project itself changed. `by` is
 * the id of the account that made the change, if known.
 */
interface ProjectChange {
  id: string
  change: 'created' | 'updated' | 'deleted'
  part?: 'feed' | 'recommendations' | 'duplicates' | 'conversations'
  by?: string
}

/** An event of GET /api/events: `event` is the SSE event name, `data` its JSON. */
export type LiveEvent =
  | { event: 'job'; data: Job }
  | { event: 'document'; data: { id: string; project_id: string | null; change: 'created' | 'updated' | 'deleted' } }
  | { event: 'project'; data: ProjectChange }
  | { event: 'notice'; data: Record<string, never> }
