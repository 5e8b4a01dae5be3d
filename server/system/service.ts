import { recordAudit } from '#server/audit/index.ts'
import { asAdmin, asSystem, database, type Tx } from '#server/db/client.ts'
import { markProcessing } from '#server/documents/index.ts'
import { readFeedNow } from '#server/feeds/index.ts'
import { checkReady } from '#server/health/index.ts'
import { env } from '#server/lib/env.ts'
import { ADMINS_ONLY, AppError, notFound } from '#server/lib/errors.ts'
import { takeFailedJob } from '#server/queue/failed-queries.ts'
import { enqueueOnce } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { changeIndexPause, changeRenewal, readIndexState, readRenewal } from '#server/retrieval/index.ts'
import { version } from '#server/lib/version.ts'
import type { FeedTried } from '#shared/contract/feeds.ts'
import type { Job, JobKind } from '#shared/contract/jobs.ts'
import { publicAddress } from '#shared/contract/journals.ts'
import type { FailedJob, FailingFeed, SystemStatus } from '#shared/contract/system.ts'
import {
  countFeeds,
  countJobs,
  countPeople,
  findFailedJobs,
  findFailingFeeds,
  isAdminNow,
  readServerVersion,
} from './queries.ts'

const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString()
const EVERY_JOB = 1_000_000
/** Kinds of jobs whose document is shown as processing when a failed job is queued again. */
const SHOWN_ON_DOCUMENT = new Set<JobKind>(['extract', 'ocr', 'analyze'])

/** Returns the status of the installation. Only admins may call it. */
export async function readStatus(actor: Actor): Promise<SystemStatus> {
  const read = await overAll(actor, async (tx) => ({
    database: { mode: modeOf(), version: await readServerVersion(tx) },
    people: await countPeople(tx),
    queue: await countJobs(tx),
    feeds: await countFeeds(tx),
    vectors: await readRenewal(tx),
    index: await readIndexState(tx),
  }))
  return {
    version,
    node_version: process.version,
    started_at: STARTED_AT,
    failing: await checkReady(),
    storage: placeOf(),
    ...read,
  }
}

/** Pauses or continues the renewal of vectors that another embedding model has created. Only admins may call it. */
export const changeVectors = (actor: Actor, { is_paused }: { is_paused: boolean }): Promise<SystemStatus['vectors']> =>
  overAll(actor, async (tx) => {
    await changeRenewal(tx, is_paused)
    const action = is_paused ? 'vectors.paused' : 'vectors.continued'
    await recordAudit(tx, actor, { action, subjectId: null, subject: 'vectors', details: {} })
    return readRenewal(tx)
  })

/** Pauses or continues the building of the search index of passages. Only admins may call it. */
export const changeIndex = (actor: Actor, { is_paused }: { is_paused: boolean }): Promise<SystemStatus['index']> =>
  overAll(actor, async (tx) => {
    await changeIndexPause(tx, is_paused)
    const action = is_paused ? 'index.paused' : 'index.continued'
    await recordAudit(tx, actor, { action, subjectId: null, subject: 'index', details: {} })
    return readIndexState(tx)
  })

/**
 * Returns a page of the failed jobs and their number. Cancelled jobs, and jobs whose step a later job has done, do not count as
 * failed. Only admins may call it.
 */
export const listFailedJobs = (
  actor: Actor,
  kind: JobKind | undefined,
  page: number,
  limit: number,
): Promise<{ data: FailedJob[]; count: number }> => overAll(actor, (tx) => findFailedJobs(tx, kind, page, limit))

/**
 * Queues a failed job again with the same owner, API key and input. The new job replaces the failed job. Throws 'refused' for
 * an update of the journal catalog and for a job of a deleted account. Only admins may call it.
 */
export const retryJob = (actor: Actor, id: string): Promise<Job> => overAll(actor, (tx) => requeue(tx, actor, id))

/**
 * Queues a failed job again, without a check of the caller. For commands of the operator. Needs the job queue (`startBoss`).
 */
export const retryJobByOperator = (id: string): Promise<Job> => asSystem((tx) => requeue(tx, null, id))

/** Returns the ids of the failed jobs of a kind, or of all kinds that can be retried. For commands of the operator. */
export const failedJobIds = (kind?: JobKind): Promise<string[]> =>
  asSystem(async (tx) => {
    const { data } = await findFailedJobs(tx, kind, 1, EVERY_JOB)
    return data.filter(({ kind, owner_email }) => kind !== 'journals' && owner_email !== null).map(({ id }) => id)
  })

async function requeue(tx: Tx, actor: Actor | null, id: string): Promise<Job> {
  const failed = await takeFailedJob(tx, id)
  if (!failed) throw notFound('Job')
  const { kind, owner_id: ownerId, document_id: documentId, project_id: projectId, input, error } = failed
  if (kind === 'journals')
    throw new AppError('refused', 'A journal update cannot be retried here. Continue it under Integrations.')
  if (ownerId === null) throw new AppError('refused', 'The account of this job is deleted.')
  const { job, isNew } = await enqueueOnce(tx, { kind, ownerId, documentId, projectId, keyId: failed.key_id, input })
  if (isNew && documentId !== null && SHOWN_ON_DOCUMENT.has(kind)) await markProcessing(tx, documentId)
  await recordAudit(tx, actor, { action: 'job.retried', subjectId: job.id, subject: kind, details: { error } })
  return job
}

/** Deletes a failed job. Its effects on the document remain. Throws 'not_found'. Only admins may call it. */
export const deleteJob = (actor: Actor, id: string): Promise<void> =>
  overAll(actor, async (tx) => {
    const failed = await takeFailedJob(tx, id)
    if (!failed) throw notFound('Job')
    await recordAudit(tx, actor, {
      action: 'job.deleted',
      subjectId: id,
      subject: failed.kind,
      details: { error: failed.error },
    })
  })

/**
 * Returns a page of the followed feeds that cannot be read, and their number. If only the user who added a feed sees it,
 * removes the query string from its address, because the query string can contain a secret. Only admins may call it.
 */
export async function listFailingFeeds(
  actor: Actor,
  page: number,
  limit: number,
): Promise<{ data: FailingFeed[]; count: number }> {
  return overAll(actor, async (tx) => ({
    data: (await findFailingFeeds(tx, page, limit)).map(({ personal, ...feed }) =>
      personal ? { ...feed, url: publicAddress(feed.url) } : feed,
    ),
    count: (await countFeeds(tx)).failing,
  }))
}

/** Fetches a feed immediately and returns the result. Only admins may call it. */
export async function tryFeed(actor: Actor, id: string): Promise<FeedTried> {
  await overAll(actor, () => Promise.resolve())
  return readFeedNow(id)
}

/**
 * Runs `work` without row-level security, because row-level security hides jobs and feeds of other users. First checks in the
 * database that the caller is an admin.
 */
async function overAll<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!(await asAdmin(actor, isAdminNow))) throw new AppError('forbidden', ADMINS_ONLY)
  return asSystem(work)
}

const modeOf = () => (database().embedded ? ('embedded' as const) : ('server' as const))

function placeOf(): SystemStatus['storage'] {
  if (!env.S3_BUCKET) return { kind: 'folder', place: `${env.DATA_DIR}/files` }
  return { kind: 'bucket', place: `${env.S3_BUCKET} at ${env.S3_ENDPOINT ?? 'Amazon S3'}` }
}
