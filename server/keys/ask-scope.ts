import type { Actor } from '#server/db/actor.ts'
import { asSystemAtOnce } from '#server/db/client.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { AppError } from '#server/lib/errors.ts'
import { currentRequest } from '#server/lib/request-context.ts'
import { scopeNeeded } from '#shared/contract/api-keys.ts'
import { missingScope } from './check-key.ts'
import { findScopes } from './queries.ts'

/**
 * Checks that a caller with an API key may call models, and counts a request to the model against the rate limit of the key.
 * Throws 'scope' for a key without the scope 'ask', and 'too_many'. Does nothing for a caller without a key.
 */
export async function countAsk(actor: Actor): Promise<void> {
  const missing = missingScope(actor, ['ask'])
  if (missing) throw new AppError('scope', scopeNeeded(missing))
  if (actor.key) await countRequest('key-ask', { person: actor.key.id })
}

/**
 * Returns whether the current request or job may call a model that the user did not ask for, such as a model of the automatic
 * processing. Returns true if the model is free, or if the request has no API key. For a model that costs money, an API key
 * needs the scope 'ask'. For a job, the API key of the request that started the job counts.
 */
export async function mayCallModel({ isFree }: { isFree: boolean }): Promise<boolean> {
  const key = currentRequest()?.key
  if (isFree || key === undefined) return true
  return (await asSystemAtOnce((db) => findScopes(db, key))).includes('ask')
}
