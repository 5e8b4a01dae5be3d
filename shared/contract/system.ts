import { z } from 'zod'
import { jobKind } from './jobs.ts'

/** Rows on a page of the failed jobs list. */
export const FAILED_JOBS_PAGE_SIZE = 20

/** Rows on a page of the failing feeds list. */
export const FAILING_FEEDS_PAGE_SIZE = 20

/** The state of the installation, which the System page shows to administrators. */
export const systemStatus = z.object({
  version: z.string(),
  node_version: z.string(),
  started_at: z.string().describe('start time of the process that answers'),
  failing: z.array(z.string()).describe("parts that do not answer now: 'database', 'queue', 'storage'"),
  database: z.object({
    mode: z.enum(['embedded', 'server']).describe('embedded: in the process of the server'),
    version: z.string(),
  }),
  storage: z.object({
    kind: z.enum(['folder', 'bucket']),
    place: z.string().describe('the folder, or the bucket with its server'),
  }),
  people: z.object({
    count: z.number().int(),
    admins: z.number().int(),
    disabled: z.number().int(),
    active: z.number().int().describe('signed in during the last 30 days'),
  }),
  queue: z.array(
    z.object({
      kind: jobKind,
      queued: z.number().int(),
      running: z.number().int(),
      failed: z.number().int().describe('in the last seven days, without cancelled jobs'),
      oldest_queued_at: z.string().nullable(),
    }),
  ),
  feeds: z.object({
    followed: z.number().int(),
    failing: z.number().int(),
    last_success_at: z.string().nullable(),
  }),
  vectors: z.object({
    model: z.string().nullable().describe('the model of new vectors; null: papers are searched by words only'),
    documents: z.number().int().describe('vectorized documents of all users'),
    stale: z.number().int().describe('those of them with vectors of another model, which are searched by words'),
    is_paused: z.boolean().describe('whether they are not vectorized again in the background'),
  }),
  index: z.object({
    documents: z.number().int().describe('documents of all users'),
    waiting: z.number().int().describe('those of them whose index of passages is not built yet'),
    is_paused: z.boolean().describe('whether the index is not built in the background'),
  }),
})
export type SystemStatus = z.infer<typeof systemStatus>

/** A failed job with its owner. The content that the job processed is visible to its owner only. */
export const failedJob = z.object({
  id: z.uuid(),
  kind: jobKind,
  error: z.string(),
  attempt: z.number().int(),
  owner_email: z.string().nullable().describe('null: the account was deleted'),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type FailedJob = z.infer<typeof failedJob>

/** A followed feed whose last refresh failed. */
export const failingFeed = z.object({
  id: z.uuid(),
  url: z.string(),
  journals: z.array(z.string()),
  followers: z.number().int(),
  failures: z.number().int().describe('consecutive failures'),
  last_error: z.string().nullable(),
  last_fetched_at: z.string().nullable().describe('time of the last successful refresh'),
  next_fetch_at: z.string(),
})
export type FailingFeed = z.infer<typeof failingFeed>

/** Body of PUT /api/admin/index. `is_paused` stops or continues the building of the index of passages. */
export const indexChange = z.object({ is_paused: z.boolean() })

/**
 * Body of PUT /api/admin/vectors. `is_paused` stops or continues the renewal of vectors that were created by a previous
 * embedding model.
 */
export const vectorsChange = z.object({ is_paused: z.boolean() })
