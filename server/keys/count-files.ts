import type { Actor } from '#server/db/actor.ts'
import { countRequest } from '#server/http/rate-limit.ts'

/**
 * Counts the files of a request with an API key against the rate limit, except the first file, which the access check has
 * counted. Throws 'too_many'.
 */
export async function countFurtherFiles({ key }: Actor, files: number): Promise<void> {
  if (key && files > 1) await countRequest('key-upload', { person: key.id }, files - 1)
}
