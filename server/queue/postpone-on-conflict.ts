import { AppError } from '#server/lib/errors.ts'
import type { JobRun } from './handler.ts'

/** Delay in seconds before a job starts again after its data changed while it ran. */
const CHANGED_WAIT_SECONDS = 5

/**
 * Returns a function that handles an error of a job: a 'conflict', which means that its data changed while it ran, postpones
 * the job for 5 seconds. Users see `text`. All other errors are thrown.
 */
export const postponeOnConflict =
  (postpone: JobRun['postpone'], text: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    return postpone(CHANGED_WAIT_SECONDS, text)
  }
