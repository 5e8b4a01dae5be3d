import { useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { JOB_CANCELLED, job as jobSchema } from '#shared/contract/jobs.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, one, request } from './api.ts'
import { useFirstAnswers } from './first-answers.ts'

const latest = new Map<string, Job>()
const waiters = new Map<string, Set<(job: Job) => void>>()
const isOver = (job: Job) => job.status === 'completed' || job.status === 'failed'
/** Query key of a project's bulk runs. */
export const bulkRunsKey = (projectId: string) => ['bulk-runs', projectId]
const activeKey = (documentId: string) => ['jobs', documentId]
/** The kinds of jobs that add references to a project. */
const IMPORTS = ['import', 'zotero'] as const
const importsKey = (projectId: string) => ['active-imports', projectId]
/** Kinds of which a project has one job at a time. */
const PROJECT_JOBS = ['research', 'duplicates'] as const
type ProjectJobKind = (typeof PROJECT_JOBS)[number]
const projectJobKey = (kind: ProjectJobKind, projectId: string) => ['project-job', kind, projectId]

/** The event stream has only the user's own jobs; those of other members are polled. */
const POLL_MS = 5000
const pollOthers = (jobs: readonly Job[] | undefined) => (jobs?.some((job) => !job.is_own) ? POLL_MS : false)

/** Queued and running jobs of a document; the event stream updates them. */
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
    refetchInterval: ({ state }) => pollOthers(state.data),
  })

/** The queued or running job of a kind in a project, or null; the event stream updates it. */
export const useActiveProjectJob = (projectId: string, kind: ProjectJobKind) =>
  useQuery({
    queryKey: projectJobKey(kind, projectId),
    queryFn: async ({ signal }) => {
      const jobs = await request(api.jobs({ project_id: projectId, kind, active: 'true', limit: 1 }), {
        schema: many(jobSchema),
        signal,
      })
      return jobs.find((job) => !isOver(latest.get(job.id) ?? job)) ?? null
    },
    refetchInterval: ({ state }) => pollOthers(state.data ? [state.data] : []),
  })

/** Queued and running imports of a project; the event stream updates them. */
export const useActiveImports = (projectId: string) =>
  useQuery({
    queryKey: importsKey(projectId),
    queryFn: async ({ signal }) => {
      const ofKind = (kind: (typeof IMPORTS)[number]) =>
        request(api.jobs({ project_id: projectId, kind, active: 'true' }), { schema: many(jobSchema), signal })
      const jobs = (await Promise.all(IMPORTS.map(ofKind))).flat()
      return jobs.filter((job) => !isOver(latest.get(job.id) ?? job))
    },
    enabled: useFirstAnswers(),
    refetchInterval: ({ state }) => pollOthers(state.data),
  })

/**
 * Stores the state of a job from the stream or from the response that started it. Returns true when this state ends the
 * job.
 */
export function receiveJob(client: QueryClient, job: Job): boolean {
  const known = latest.get(job.id)
  if (known && (isOver(known) || known.updated_at > job.updated_at)) return false
  latest.set(job.id, job)
  const others = (jobs: Job[] = []) => [...jobs.filter((one) => one.id !== job.id), ...(isOver(job) ? [] : [job])]
  if (job.document_id) client.setQueryData<Job[]>(activeKey(job.document_id), others)
  if (IMPORTS.some((kind) => kind === job.kind) && job.project_id)
    client.setQueryData<Job[]>(importsKey(job.project_id), others)
  const projectKind = PROJECT_JOBS.find((kind) => kind === job.kind)
  if (projectKind && job.project_id)
    client.setQueryData<Job | null>(projectJobKey(projectKind, job.project_id), isOver(job) ? null : job)
  if (job.kind === 'process' && job.project_id)
    client.setQueryData<Job[]>(bulkRunsKey(job.project_id), (jobs) => {
      // Not loaded yet: the first query fetches it.
      if (!jobs) return jobs
      return jobs.some((one) => one.id === job.id) ? jobs.map((one) => (one.id === job.id ? job : one)) : [job, ...jobs]
    })
  if (!isOver(job)) return false
  for (const tell of waiters.get(job.id) ?? []) tell(job)
  waiters.delete(job.id)
  return true
}

/** Starts a job with a POST that answers 202. Returns the queued job. */
export async function startJob(client: QueryClient, path: string, body: unknown): Promise<Job> {
  const job = await request(path, { method: 'POST', body, schema: one(jobSchema) })
  receiveJob(client, job)
  return job
}

/** Thrown by `finished` when the user cancelled the job. Not an error. */
export class JobCancelled extends Error {}

/** A failed job, with its message for the user and its code. */
export class JobFailed extends Error {
  readonly code: string | null
  constructor({ error, error_code }: Job) {
    super(error ?? '')
    this.code = error_code
  }
}

/** Resolves when the job is over. Throws JobFailed when it failed, and JobCancelled when the user cancelled it. */
export async function finished(job: Job): Promise<Job> {
  const known = latest.get(job.id) ?? job
  const over = isOver(known)
    ? known
    : await new Promise<Job>((resolve) => {
        const group = waiters.get(job.id) ?? new Set()
        waiters.set(job.id, group.add(resolve))
        if (!job.is_own) void pollEnd(job.id)
      })
  if (over.status === 'completed') return over
  throw over.error === JOB_CANCELLED ? new JobCancelled(JOB_CANCELLED) : new JobFailed(over)
}

/** Cancels a job. A job that has ended stays unchanged. */
export const cancelJob = (id: string) => request(api.jobCancel(id), { method: 'POST', body: {}, schema: anything })

/** After a broken stream, fetches every job with a waiting caller once. */
export async function catchUp(client: QueryClient): Promise<void> {
  await Promise.allSettled(
    [...waiters.keys()].map(async (id) => receiveJob(client, await request(api.job(id), { schema: one(jobSchema) }))),
  )
}

/** Fetches a job of another member until it has ended. */
async function pollEnd(id: string): Promise<void> {
  while (waiters.has(id)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const ended = await request(api.job(id), { schema: one(jobSchema) }).catch(() => null)
    if (!ended || !isOver(ended)) continue
    for (const tell of waiters.get(id) ?? []) tell(ended)
    waiters.delete(id)
  }
}
