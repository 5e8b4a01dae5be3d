import type { Actor } from '#server/db/actor.ts'
import { countRequest } from '#server/http/rate-limit.ts'

/** Counts the files of a request with a key after the first one, which the access check counts. Throws 'too_many'. */
export async function countFurtherFiles({ key }: Actor, files: number): Promise<void> {
  if (key && files > 1) await countRequest('key-upload', { person: key.id }, files - 1)
}
