import { AppError } from '#server/lib/errors.ts'
import { poolErrors } from '#server/workers/pool-errors.ts'
import type { PoolErrors } from '#server/workers/pool-options.ts'

/**
 * Messages for users when a worker cannot read a PDF. A PDF whose worker crashed is refused and not read again, because it
 * would crash the next worker.
 */
export const READING_ERRORS: PoolErrors = {
  ...poolErrors('Reading this PDF', 'Too many PDFs are being read.'),
  lost: (cause) => new AppError('refused', 'Reading this PDF failed.', { cause }),
}
