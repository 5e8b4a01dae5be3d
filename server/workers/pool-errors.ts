import { AppError } from '#server/lib/errors.ts'
import type { PoolErrors } from './pool-options.ts'

/**
 * Returns the usual errors of a pool: 'refused' for a task that exceeds its limit of time or memory, 'internal' for a worker
 * that ended, and 'too_many' for a full queue. `task` is the subject of the messages, such as 'Reading this file'. `full` is
 * the first sentence of the message for a full queue.
 */
export const poolErrors = (task: string, full: string): PoolErrors => ({
  slow: () => new AppError('refused', `${task} takes too long; it was stopped.`),
  memory: (cause) => new AppError('refused', `${task} takes too much memory; it was stopped.`, { cause }),
  lost: (cause) => new AppError('internal', `${task} failed.`, { cause }),
  full: () => new AppError('too_many', `${full} Please try again in a moment.`, { retryAfter: 10 }),
})
