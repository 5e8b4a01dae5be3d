import { AppError } from '#server/lib/errors.ts'
import type { Caller } from './caller-type.ts'

/**
 * Number of minutes for which a password or a code proves the user's identity. It limits the use of a page that a user left
 * open.
 */
const FRESH_MINUTES = 15

/**
 * Throws 'proof_required' unless the caller proved their identity within the last `minutes`. Call it before sensitive changes,
 * such as changes of sessions and second factors.
 */
export function requireFreshProof({ provedAt }: Caller, minutes = FRESH_MINUTES): void {
  if (Date.now() - provedAt.getTime() > minutes * 60_000)
    throw new AppError(
      'proof_required',
      `Confirm that it is you: your last sign-in was more than ${minutes} minutes ago.`,
    )
}
