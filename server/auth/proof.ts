import { AppError } from '#server/lib/errors.ts'
import type { Caller } from './caller-type.ts'

/** How long a password or a code proves the user's identity: limits the use of an unattended page. */
const FRESH_MS = 15 * 60_000

/** Throws 'proof_required' without a recent proof of identity. For changes of sessions and second factors. */
export function requireFreshProof({ provedAt }: Caller): void {
  if (Date.now() - provedAt.getTime() > FRESH_MS)
    throw new AppError('proof_required', 'Confirm that it is you: your last sign-in was more than 15 minutes ago.')
}
