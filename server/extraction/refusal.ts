import { AppError, notFound } from '#server/lib/errors.ts'
import { WorkerFailure } from '#server/workers/worker-pool.ts'

/** Returns whether an error means that a PDF cannot be read: it is damaged, or exceeds a limit. */
export const isUnreadable = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'refused' || error.code === 'damaged_file')

/** Throws the failure of a PDF worker as an AppError with a message for users. Rethrows any other error unchanged. */
export function refusal(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  const { code, message } = error
  if (code === 'password_required') throw new AppError('password_required', 'This PDF is protected by a password.')
  if (code === 'password_wrong') throw new AppError('password_wrong', 'The password is not right.')
  if (code === 'too_many_pages') throw new AppError('refused', message)
  if (code === 'missing') throw notFound('File')
  throw new AppError('damaged_file', 'This file is damaged and cannot be read as a PDF.', { cause: error })
}
