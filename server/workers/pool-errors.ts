import { AppError } from '#server/lib/errors.ts'
import type { PoolErrors } from './pool-options.ts'

/**
 * Returns the usual errors of a pool: 'refused' for a task over its limit of time or memory, 'internal' for a lost worker,
 * and 'too_many' for a full queue. `task` is the subject of the messages ('Reading this file'); `full` is a sentence that
 * states which tasks wait.
 */
export const poolErrors = (task: string, full: string): PoolErrors => ({
  slow: () => new AppError('refused', `${task} takes too long; it was stopped.`),
  memory: (cause) => new AppError('refused', `${task} takes too much memory; it was stopped.`, { cause }),
  lost: (cause) => new AppError('internal', `${task} failed.`, { cause }),
  full: () => new AppError('too_many', `${full} Please try again in a moment.`, { retryAfter: 10 }),
})
