import { AppError } from '#server/lib/errors.ts'
import { signInFailures } from '#server/lib/metrics.ts'

/**
 * Runs a check of a sign-in. If it throws 'too_many', counts 'too_many' in the metric of failed sign-ins; if it throws
 * 'refused', counts `reason`. Rethrows the error.
 */
export async function countFailure<T>(reason: 'password' | 'code', check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many') signInFailures.inc({ reason: 'too_many' })
    if (error instanceof AppError && error.code === 'refused') signInFailures.inc({ reason })
    throw error
  }
}
