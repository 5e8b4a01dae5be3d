import { AppError } from '#server/lib/errors.ts'
import type { Caller } from './caller.ts'

/** How long a password or a code stands for the person who gave it: whoever finds an open page later has only that page. */
const FRESH_MS = 15 * 60_000

/** Refuses what changes how an account is opened, or where it is open, unless its person has proved who they are of late. */
export function requireFreshProof({ provedAt }: Caller): void {
  // A proof of the future was given while the clock was wrong: it is none until then.
  if (Math.abs(Date.now() - provedAt.getTime()) > FRESH_MS)
    throw new AppError('proof_required', 'Confirm that it is you: it has been a while since you signed in.')
}
