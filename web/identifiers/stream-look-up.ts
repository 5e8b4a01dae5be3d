import { z } from 'zod'
import { type LookedUpLine, lookedUpLine } from '#shared/contract/identifiers.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError } from '#web/lib/api.ts'
import { postEvents } from '#web/lib/post-events.ts'

const FAILED = 'The look-up ended before it was complete. Please try again.'
const failure = z.object({ message: z.string() })

/** Looks up lines and yields the result of each, in any order. Throws an ApiError when the look-up fails as a whole. */
export async function* streamLookUp(
  projectId: string,
  lines: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<LookedUpLine> {
  const body = { project_id: projectId, lines }
  for await (const { event, data } of postEvents(api.identifiersLookUp(), body, signal, FAILED)) {
    if (event === 'done') return
    if (event === 'error') throw new ApiError(0, 'failed', failure.parse(JSON.parse(data)).message || FAILED)
    if (event === 'line') yield lookedUpLine.parse(JSON.parse(data))
  }
  throw new ApiError(0, 'broken_off', FAILED)
}
