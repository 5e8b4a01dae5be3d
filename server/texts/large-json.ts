import type { TypedResponse } from 'hono'
import { actorOf, type AppContext } from '#server/http/router.ts'
import { parseJson, writeJson } from './read-texts.ts'

/** Size of JSON (in bytes or characters) from which a worker parses or writes it. JSON of this size takes about 2 ms. */
const LARGE = 256 * 1024

/**
 * Parses a large JSON body in a worker and caches the result for `context.req.json`. Does nothing for a small body or the body
 * of a visitor (at most 64 KB), which the validator parses. Throws 'refused' for a body that is too complex, and 'malformed'
 * for a large body that is not JSON.
 */
export async function parseLargeBody(context: AppContext): Promise<void> {
  const body = await context.req.arrayBuffer()
  if (body.byteLength <= LARGE || !context.get('actor')) return
  const owner = { person: actorOf(context).userId, signal: context.req.raw.signal }
  const value = await parseJson(owner, new Uint8Array(body))
  context.req.json = <T>() => Promise.resolve(value as T)
}

/**
 * Returns `context.json(value, status)` for a value that contains a whole text. A large value is serialized in a worker. `size`
 * is the approximate length of the JSON in characters.
 */
export async function largeJson<T extends object, Status extends 200 | 201 = 200>(
  context: AppContext,
  value: T,
  size: number,
  status: Status = 200 as Status,
): Promise<Response & TypedResponse<T, Status, 'json'>> {
  type Answer = Response & TypedResponse<T, Status, 'json'>
  if (size <= LARGE) return context.json(value, status) as Answer
  const bytes = await writeJson({ person: actorOf(context).userId, signal: context.req.raw.signal }, value, size)
  const response: Response = context.body(bytes, status, { 'content-type': 'application/json' })
  return response as Answer
}
