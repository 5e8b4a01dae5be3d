import { asOwner } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Caller, callerOf } from './caller.ts'
import { checkPassword } from './check-password.ts'
import { noteProof } from './session-queries.ts'

/** How long a password or a code stands for the person who gave it: whoever finds an open page later has only that page. */
const FRESH_MS = 15 * 60_000

/** Refuses what changes how an account is opened, or where it is open, unless its person has proved who they are of late. */
export function requireFreshProof({ provedAt }: Caller): void {
  if (Date.now() - provedAt.getTime() > FRESH_MS)
    throw new AppError('proof_required', 'Confirm that it is you: it has been a while since you signed in.')
}

/** Takes the caller's password as a proof of who they are; a wrong one is refused, and counted. */
export async function confirmPassword(headers: Headers, password: string): Promise<void> {
  const { sessionId } = await callerOf(headers)
  await checkPassword(headers, password)
  await asOwner((tx) => noteProof(tx, sessionId))
}
