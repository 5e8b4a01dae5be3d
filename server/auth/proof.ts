import { AppError } from '#server/lib/errors.ts'
import type { Caller } from './caller-type.ts'

/** How many minutes a password or a code proves the user's identity: limits the use of an unattended page. */
const FRESH_MINUTES = 15

/** Throws 'proof_required' without a recent proof of identity. For changes of sessions and second factors. */
export function requireFreshProof({ provedAt }: Caller, minutes = FRESH_MINUTES): void {
  if (Date.now() - provedAt.getTime() > minutes * 60_000)
    throw new AppError(
      'proof_required',
      `Confirm that it is you: your last sign-in was more than ${minutes} minutes ago.`,
    )
}
