import { z } from 'zod'
import { type LookedUpLine, lookedUpLine } from '#shared/contract/identifiers.ts'
import { api } from '#shared/contract/paths.ts'
import { ApiError } from '#web/lib/api.ts'
import { streamEvents } from '#web/lib/post-events.ts'

const FAILED = 'The look-up ended before it was complete. Please try again.'
const schemas = { line: lookedUpLine, done: z.unknown(), error: z.object({ message: z.string() }) } as const

/**
 * Looks up lines with identifiers and yields the result of each line, in any order. Throws an ApiError if the look-up fails as
 * a whole.
 */
export async function* streamLookUp(
  projectId: string,
  lines: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<LookedUpLine> {
  const body = { project_id: projectId, lines }
  for await (const { event, data } of streamEvents(api.identifiersLookUp(), body, {
    schemas,
    signal,
    failure: FAILED,
  })) {
    if (event === 'line') yield data
    if (event === 'error') throw new ApiError(0, 'failed', data.message || FAILED)
  }
}
