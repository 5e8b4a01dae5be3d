import { z } from 'zod'
import { apiError } from '#shared/contract/errors.ts'

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })

/**
 * Calls the server with an API key. Returns the names of the tools that the key permits, and the duration of the call in ms.
 * Throws an Error with a message for the user.
 */
export async function testKey(key: string): Promise<{ tools: string[]; milliseconds: number }> {
  const started = performance.now()
  const response = await fetch('/mcp', {
    method: 'POST',
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    signal: AbortSignal.timeout(15_000),
  })
  const body: unknown = await response.json().catch(() => null)
  const refused = apiError.safeParse(body)
  if (refused.success) throw new Error(refused.data.error.message)
  const { data } = listed.safeParse(body)
  if (!data) throw new Error('The answer of the server is not that of an MCP server.')
  return { tools: data.result.tools.map(({ name }) => name), milliseconds: Math.round(performance.now() - started) }
}
