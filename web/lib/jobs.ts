import { useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { JOB_CANCELLED, job as jobSchema } from '#shared/jobs.ts'
import type { Job } from '#shared/jobs.ts'
import { api } from '#shared/paths.ts'
import { anything, many, one, request } from './api.ts'

const latest = new Map<string, Job>()
const waiters = new Map<string, Set<(job: Job) => void>>()
const isOver = (job: Job) => job.status === 'completed' || job.status === 'failed'
/** Where the runs over many documents of a project stand in the cache. */
export const bulkRunsKey = (projectId: string) => ['bulk-runs', projectId]
const activeKey = (documentId: string) => ['jobs', documentId]
const researchKey = (projectId: string) => ['research', projectId]

/** The running and waiting jobs of a document, kept up to date by the event stream. */
export const useActiveJobs = (documentId: string) =>
  useQuery({
    queryKey: activeKey(documentId),
    queryFn: async ({ signal }) => {
      const jobs = await request(api.jobs({ document_id: documentId, active: 'true' }), {
        schema: many(jobSchema),
        signal,
      })
      return jobs.filter((job) => !isOver(latest.get(job.id) ?? job))
    },
  })

/** The search for papers that goes on for a project, or null; kept up to date by the event stream. */
export const useActiveResearch = (projectId: string) =>
  useQuery({
    queryKey: researchKey(projectId),
    queryFn: async ({ signal }) => {
      const jobs = await request(api.jobs({ project_id: projectId, kind: 'research', active: 'true', limit: 1 }), {
        schema: many(jobSchema),
        signal,
      })
      return jobs.find((job) => !isOver(latest.get(job.id) ?? job)) ?? null
    },
  })

/** Stores the state of a job, from the stream or from the answer that started it; true when that ends the job. */
export function receiveJob(client: QueryClient, job: Job): boolean {
  const known = latest.get(job.id)
  if (known && (isOver(known) || known.updated_at > job.updated_at)) return false
  latest.set(job.id, job)
  if (job.document_id)
    client.setQueryData<Job[]>(activeKey(job.document_id), (jobs = []) => [
      ...jobs.filter((one) => one.id !== job.id),
      ...(isOver(job) ? [] : [job]),
    ])
  if (job.kind === 'research' && job.project_id)
    client.setQueryData<Job | null>(researchKey(job.project_id), isOver(job) ? null : job)
  if (job.kind === 'process' && job.project_id)
    client.setQueryData<Job[]>(bulkRunsKey(job.project_id), (jobs) => {
      // Not read yet: the first look at the page fetches it.
      if (!jobs) return jobs
      return jobs.some((one) => one.id === job.id) ? jobs.map((one) => (one.id === job.id ? job : one)) : [job, ...jobs]
    })
  if (!isOver(job)) return false
  for (const tell of waiters.get(job.id) ?? []) tell(job)
  waiters.delete(job.id)
  return true
}

/** Starts a job with a POST that answers 202. */
export async function startJob(client: QueryClient, path: string, body: unknown): Promise<Job> {
  const job = await request(path, { method: 'POST', body, schema: one(jobSchema) })
  receiveJob(client, job)
  return job
}

/** Thrown by `finished` when the owner stopped the job: nothing went wrong. */
export class JobCancelled extends Error {}

/** Waits until the job is over; a failed one throws with its own words. */
export async function finished(job: Job): Promise<Job> {
  const known = latest.get(job.id) ?? job
  const over = isOver(known)
    ? known
    : await new Promise<Job>((resolve) => {
        const group = waiters.get(job.id) ?? new Set()
        waiters.set(job.id, group.add(resolve))
      })
  if (over.status === 'completed') return over
  throw over.error === JOB_CANCELLED ? new JobCancelled(JOB_CANCELLED) : new Error(over.error ?? '')
}

export const cancelJob = (id: string) => request(api.jobCancel(id), { method: 'POST', body: {}, schema: anything })

/** After a broken stream: asks once for every job that somebody waits for. */
export async function catchUp(client: QueryClient): Promise<void> {
  await Promise.allSettled(
    [...waiters.keys()].map(async (id) => receiveJob(client, await request(api.job(id), { schema: one(jobSchema) }))),
  )
}
