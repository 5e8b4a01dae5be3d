import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { JobRow } from './job-queries.ts'

/**
 * Why a job is aborted. cancelled: the owner cancelled it, its row was deleted, or the owner lost the right to change the
 * project. lost: another process runs it. stopping: the server stops. late: it exceeded its time limit.
 */
export type StopReason = 'cancelled' | 'lost' | 'stopping' | 'late'

/** The error with which the AbortController of a running job is aborted. */
export class Stopped extends Error {
  override readonly name = 'AbortError'
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(`The job was stopped: ${reason}.`)
    this.reason = reason
  }
}

/** Returns whether a job was aborted because it was cancelled or deleted, or its account may no longer change the project. */
export const wasCancelled = ({ reason }: AbortSignal) => reason instanceof Stopped && reason.reason === 'cancelled'

/**
 * Returns why the attempt `attempt` of a job must stop: 'cancelled' if the job was cancelled or deleted, 'lost' if another
 * process runs the job. Returns undefined if the attempt may continue. Locks the row until the transaction ends.
 */
export async function findStopReason(tx: Tx, { id, attempt }: JobRow): Promise<'cancelled' | 'lost' | undefined> {
  const [row] = await withOwnerRole(tx, () => tx.select().from(jobs).where(eq(jobs.id, id)).for('update'))
  if (!row || (row.attempt === attempt && row.error !== null)) return 'cancelled'
  return row.status === 'running' && row.attempt === attempt ? undefined : 'lost'
}
