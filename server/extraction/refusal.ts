import { AppError, notFound } from '#server/lib/errors.ts'
import { WorkerFailure } from '#server/workers/worker-pool.ts'

/** Converts a worker's failure into an error with a message for users; rethrows any other error. */
export function refusal(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  const { code, message } = error
  if (code === 'password_required') throw new AppError('password_required', 'This PDF is protected by a password.')
  if (code === 'password_wrong') throw new AppError('password_wrong', 'The password is not right.')
  if (code === 'too_many_pages') throw new AppError('refused', message)
  if (code === 'missing') throw notFound('File')
  throw new AppError('refused', 'This file is damaged and cannot be read as a PDF.', { cause: error })
}
