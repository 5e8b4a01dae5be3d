import type { TypedResponse } from 'hono'
import { actorOf, type AppContext } from '#server/http/router.ts'
import { parseJson, writeJson } from './read-texts.ts'

/** Parsing or writing JSON of this size (bytes or characters) takes about two milliseconds. */
const LARGE = 256 * 1024

/**
 * Parses a large JSON body in a worker and caches the result for `context.req.json`. Throws 'refused' for a body that
 * is too complex, and 'malformed' for a large body that is not JSON. The validator parses small bodies, and those of
 * visitors, which have at most 64 KB.
 */
export async function parseLargeBody(context: AppContext): Promise<void> {
  const body = await context.req.arrayBuffer()
  if (body.byteLength <= LARGE || !context.get('actor')) return
  const owner = { person: actorOf(context).userId, signal: context.req.raw.signal }
  const value = await parseJson(owner, new Uint8Array(body))
  context.req.json = <T>() => Promise.resolve(value as T)
}

/**
 * Returns `context.json(value, 200)` for a value that contains a whole text. A large value is serialized in a worker. `size`: the
 * approximate number of its characters.
 */
export async function largeJson<T extends object>(
  context: AppContext,
  value: T,
  size: number,
): Promise<Response & TypedResponse<T, 200, 'json'>> {
  type Answer = Response & TypedResponse<T, 200, 'json'>
  if (size <= LARGE) return context.json(value, 200) as Answer
  const bytes = await writeJson({ person: actorOf(context).userId, signal: context.req.raw.signal }, value, size)
  const response: Response = context.body(bytes, 200, { 'content-type': 'application/json' })
  return response as Answer
}
