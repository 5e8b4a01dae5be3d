import { AppError } from '#server/lib/errors.ts'
import type { PoolErrors } from '#server/workers/pool-options.ts'

/** Messages for users when a worker cannot read a PDF. */
export const READING_ERRORS: PoolErrors = {
  slow: () => new AppError('refused', 'Reading this PDF takes too long; it was stopped.'),
  memory: (cause) => new AppError('refused', 'Reading this PDF takes too much memory; it was stopped.', { cause }),
  lost: (cause) => new AppError('refused', 'Reading this PDF failed.', { cause }),
  full: () => new AppError('too_many', 'Too many PDFs are being read. Try again in a moment.', { retryAfter: 10 }),
}
