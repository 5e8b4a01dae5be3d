import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import { isDisabledAccount } from '#server/events/event-queries.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { Job, JobKind } from '#shared/contract/jobs.ts'
import { endDelay, send } from './boss.ts'
import { announceJob, findActiveJob, findTurns, insertJob, presentJob, publishEnd, publishJob } from './job-queries.ts'
import { ALREADY_ACTIVE } from './outcome.ts'
import { endReplacedJobs, markRequested } from './pause-queries.ts'

/**
 * The value of the field `automatic` in the input of a job that is a part of the automatic processing of a document. The pause
 * of the document's upload does not stop a job with the value 'requested', because a user has also requested its step.
 */
export type Automatic = true | 'requested'

/** The kinds of waiting automatic jobs that a request for a job of this kind replaces. The default is the same kind. */
const REPLACED: Partial<Record<JobKind, readonly JobKind[]>> = { extract: ['extract', 'ocr'], ocr: ['extract', 'ocr'] }

interface WantedJob {
  kind: JobKind
  ownerId: string
  documentId: string | null
  projectId: string | null
  input: Record<string, unknown>
  delaySeconds?: number
  /** The API key whose limits apply to the job and which has its costs. The default is the key of the current request. */
  keyId?: string | null
}

/**
 * Enqueues a job in the transaction `tx`, to which row-level security may apply. The job exists only if the transaction
 * commits. A document has at most one active job of each kind: a second call with the same input returns the existing job; with
 * another input it throws `conflict`. Automatic jobs of a document wait while its upload is paused. A job that a user requests
 * (without `automatic`) replaces the waiting automatic job of the same step, if it is paused or of another kind, and the
 * automatic processing continues after the requested job. Throws `refused` if the account is disabled. The job starts after
 * `delaySeconds` at the earliest; a second call without a delay ends this wait.
 */
export const enqueue = async (tx: Tx, wanted: WantedJob): Promise<Job> => (await enqueueOnce(tx, wanted)).job

/**
 * Enqueues a job and returns it (see `enqueue` for the rules). `isNew` is false if the document already had this job. Only a
 * new job may change the status of its document: an existing job can already have stored its result and its status.
 */
export function enqueueOnce(tx: Tx, wanted: WantedJob): Promise<{ job: Job; isNew: boolean }> {
  const { kind, ownerId, documentId, projectId, input, delaySeconds, keyId = currentRequest()?.key ?? null } = wanted
  return withOwnerRole(tx, async () => {
    // A job can complete at the moment at which its account is disabled; its follow-up job must not start.
    if (await isDisabledAccount(tx, ownerId)) throw new AppError('refused', 'The account of this job is disabled.')
    const isRequested = !input['automatic']
    const values = { kind, owner_id: ownerId, document_id: documentId, project_id: projectId, key_id: keyId, input }
    let automatic: { automatic?: Automatic } = {}
    const insert = async () => {
      const replaced =
        documentId !== null && isRequested ? await endReplacedJobs(tx, documentId, kind, REPLACED[kind] ?? [kind]) : []
      for (const ended of replaced) await publishEnd(tx, ended)
      if (replaced.length > 0) automatic = { automatic: 'requested' }
      return insertJob(tx, { ...values, input: { ...input, ...automatic } })
    }
    let row: Awaited<ReturnType<typeof insertJob>>
    let active: Awaited<ReturnType<typeof findActiveJob>>
    // Between the statements, the active job can end, and an automatic job of a paused upload can be committed.
    for (let attempt = 0; attempt < 3 && !row && !active; attempt++) {
      row = (await insert()) ?? (isRequested ? await insert() : undefined)
      if (!row && documentId !== null) active = await findActiveJob(tx, documentId, kind, input)
    }
    if (!row) {
      if (!active?.isSame || active.row.error !== null) throw new AppError('conflict', ALREADY_ACTIVE[kind])
      if (active.row.status === 'queued' && !delaySeconds) {
        await endDelay(tx, kind, active.row.id)
        await announceJob(tx, kind)
      }
      // A pause that begins before the job starts does not stop the step that the user requested.
      if (isRequested) await markRequested(tx, active.row.id, keyId)
      return { job: presentJob(active.row, active.row.owner_id === ownerId), isNew: false }
    }
    await send(tx, kind, await findTurns(tx, kind, [row.id]), delaySeconds)
    await announceJob(tx, kind)
    await publishJob(tx, row)
    return { job: presentJob(row), isNew: true }
  })
}
