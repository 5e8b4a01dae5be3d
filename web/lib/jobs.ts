import { useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { JOB_CANCELLED, job as jobSchema } from '#shared/contract/jobs.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, ApiError, many, one, request } from './api.ts'
import { useFirstAnswers } from './first-answers.ts'

const latest = new Map<string, Job>()
const waiters = new Map<string, Set<(job: Job) => void>>()
const isOver = (job: Job) => job.status === 'completed' || job.status === 'failed'
/** Query key of the user's bulk runs (jobs that process several documents). */
export const BULK_RUNS_KEY = ['bulk-runs']
const activeKey = (documentId: string) => ['jobs', documentId]
const documentJobsKey = (projectId: string) => ['documents', 'jobs', projectId]
/** The most jobs that one request returns. */
const MOST_JOBS = 200
/** The kinds of jobs that add references to a project. */
const IMPORTS = ['import', 'zotero'] as const
const importsKey = (projectId: string) => ['active-imports', projectId]
/** Kinds of jobs of which a project can have only one at a time. */
const PROJECT_JOBS = ['research', 'duplicates'] as const
type ProjectJobKind = (typeof PROJECT_JOBS)[number]
const projectJobKey = (kind: ProjectJobKind, projectId: string) => ['project-job', kind, projectId]

/** Polling interval in ms for jobs of other members. The event stream contains only the user's own jobs. */
const POLL_MS = 5000
const pollOthers = (jobs: readonly Job[] | undefined) => (jobs?.some((job) => !job.is_own) ? POLL_MS : false)

/** Query: the queued and running jobs of a document. The event stream updates them. */
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

/**
 * Query: the queued and running jobs of the documents of a project by the ids of the documents, at most 200, the running ones
 * first. The event stream updates them. The key begins with 'documents', so that the query is refetched together with the lists
 * of documents.
 */
export const useDocumentJobs = (projectId: string): ReadonlyMap<string, Job> =>
  useQuery({
    queryKey: documentJobsKey(projectId),
    queryFn: async ({ signal }) => {
      const filter = { project_id: projectId, active: 'true', limit: MOST_JOBS } as const
      const jobs = await request(api.jobs(filter), { schema: many(jobSchema), signal })
      return jobs.filter((job) => !isOver(latest.get(job.id) ?? job))
    },
    select: jobsByDocument,
    enabled: useFirstAnswers(),
    refetchInterval: ({ state }) => pollOthers(state.data),
  }).data ?? NO_JOBS

const NO_JOBS: ReadonlyMap<string, Job> = new Map()

/** Returns one job of each document: the running one, else one that is queued. */
function jobsByDocument(jobs: readonly Job[]): ReadonlyMap<string, Job> {
  const byDocument = new Map<string, Job>()
  for (const job of jobs) {
    const { document_id: id } = job
    if (id !== null && byDocument.get(id)?.status !== 'running') byDocument.set(id, job)
  }
  return byDocument
}

/** Query: the queued or running job of one kind in a project, or null. The event stream updates it. */
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

/** Query: the queued and running imports of a project. The event stream updates them. */
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
 * Stores a new state of a job in the cached lists of jobs. The state is from the event stream or from the response that started
 * the job. A state that is older than the known one is ignored. Returns true if the job has ended with this state.
 */
export function receiveJob(client: QueryClient, job: Job): boolean {
  const known = latest.get(job.id)
  if (known && (isOver(known) || known.updated_at > job.updated_at)) return false
  latest.set(job.id, job)
  const others = (jobs: Job[] = []) => [...jobs.filter((one) => one.id !== job.id), ...(isOver(job) ? [] : [job])]
  if (job.document_id) client.setQueryData<Job[]>(activeKey(job.document_id), others)
  if (job.document_id && job.project_id)
    // Not loaded yet: the first query fetches it.
    client.setQueryData<Job[]>(documentJobsKey(job.project_id), (jobs) => jobs && others(jobs))
  if (IMPORTS.some((kind) => kind === job.kind) && job.project_id)
    client.setQueryData<Job[]>(importsKey(job.project_id), others)
  const projectKind = PROJECT_JOBS.find((kind) => kind === job.kind)
  if (projectKind && job.project_id)
    client.setQueryData<Job | null>(projectJobKey(projectKind, job.project_id), isOver(job) ? null : job)
  if (job.kind === 'process')
    client.setQueryData<Job[]>(BULK_RUNS_KEY, (jobs) => {
      // Not loaded yet: the first query fetches it.
      if (!jobs) return jobs
      return jobs.some((one) => one.id === job.id) ? jobs.map((one) => (one.id === job.id ? job : one)) : [job, ...jobs]
    })
  if (!isOver(job)) return false
  for (const tell of waiters.get(job.id) ?? []) tell(job)
  waiters.delete(job.id)
  return true
}

/** Starts a job with a POST request, to which the server responds with status 202. Returns the queued job. */
export async function startJob(client: QueryClient, path: string, body: unknown): Promise<Job> {
  const job = await request(path, { method: 'POST', body, schema: one(jobSchema) })
  receiveJob(client, job)
  return job
}

/** Thrown by `finished` if the user cancelled the job. Callers do not show it as an error. */
export class JobCancelled extends Error {}

/** Thrown by `finished` if the job failed, with the error message for the user and the error code. */
export class JobFailed extends Error {
  readonly code: string | null
  constructor({ error, error_code }: Job) {
    super(error ?? '')
    this.code = error_code
  }
}

/**
 * Waits for the end of a job and resolves to the completed job. Throws JobFailed if the job failed, and JobCancelled if the
 * user cancelled it.
 */
export async function finished(job: Job): Promise<Job> {
  const known = latest.get(job.id) ?? job
  const over = isOver(known)
    ? known
    : await new Promise<Job>((resolve) => {
        const group = waiters.get(job.id) ?? new Set()
        waiters.set(job.id, group.add(resolve))
        if (!latest.has(job.id)) latest.set(job.id, job)
        if (!job.is_own) void pollEnd(job.id)
      })
  if (over.status === 'completed') return over
  throw over.error === JOB_CANCELLED ? new JobCancelled(JOB_CANCELLED) : new JobFailed(over)
}

/** Cancels a job. A job that has ended stays unchanged. */
export const cancelJob = (id: string) => request(api.jobCancel(id), { method: 'POST', body: {}, schema: anything })

/** Fetches the state of every job that `finished` waits for. Called after the event stream was interrupted. */
export async function catchUp(client: QueryClient): Promise<void> {
  await Promise.allSettled([...waiters.keys()].map(async (id) => receiveJob(client, await fetchState(id))))
}

/** Polls a job of another member until it has ended, because the event stream does not contain it. */
async function pollEnd(id: string): Promise<void> {
  while (waiters.has(id)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const ended = await fetchState(id).catch(() => null)
    if (!ended || !isOver(ended)) continue
    for (const tell of waiters.get(id) ?? []) tell(ended)
    waiters.delete(id)
  }
}

/**
 * Returns the error of a job that cannot be read, because its document or project was deleted or is not shared with the user.
 */
const goneText = ({ document_id, project_id }: Job) =>
  document_id !== null
    ? 'The document was deleted or is no longer shared with you.'
    : project_id !== null
      ? 'The project was deleted or is no longer shared with you.'
      : 'The job was deleted.'

/** Fetches the state of a job that `finished` waits for. A job that can no longer be read is returned as failed. */
async function fetchState(id: string): Promise<Job> {
  try {
    return await request(api.job(id), { schema: one(jobSchema) })
  } catch (error) {
    const known = latest.get(id)
    if (!known || !(error instanceof ApiError) || error.status !== 404) throw error
    return isOver(known) ? known : { ...known, status: 'failed', error: goneText(known), error_code: null }
  }
}
