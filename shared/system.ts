import { z } from 'zod'
import { jobKind } from './jobs.ts'

/** How many failed jobs a page of the list has. */
export const FAILED_JOBS_PAGE_SIZE = 20

/** How the installation is doing. */
export const systemStatus = z.object({
  version: z.string(),
  node_version: z.string(),
  started_at: z.string().describe('when the process that answers was started'),
  failing: z.array(z.string()).describe("what does not answer just now: of 'database', 'queue' and 'storage'"),
  database: z.object({
    mode: z.enum(['embedded', 'server']).describe('embedded: inside this process'),
    version: z.string(),
  }),
  storage: z.object({
    kind: z.enum(['folder', 'bucket']),
    place: z.string().describe('the folder, or the bucket and its server'),
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
      failed: z.number().int().describe('in the last seven days, without those that were cancelled'),
      oldest_queued_at: z.string().nullable(),
    }),
  ),
  feeds: z.object({
    followed: z.number().int(),
    failing: z.number().int(),
    last_success_at: z.string().nullable(),
  }),
})
export type SystemStatus = z.infer<typeof systemStatus>

/** A job that failed, with whose it was. What the job worked on stays its owner's. */
export const failedJob = z.object({
  id: z.uuid(),
  kind: jobKind,
  error: z.string(),
  attempt: z.number().int(),
  owner_email: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type FailedJob = z.infer<typeof failedJob>

/** A followed feed whose last reading failed. */
export const failingFeed = z.object({
  id: z.uuid(),
  url: z.string(),
  journals: z.array(z.string()),
  followers: z.number().int(),
  failures: z.number().int().describe('in a row'),
  last_error: z.string().nullable(),
  last_fetched_at: z.string().nullable().describe('when it was last read well'),
  next_fetch_at: z.string(),
})
export type FailingFeed = z.infer<typeof failingFeed>
