import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { addressOf } from '#server/http/request.ts'
import { access } from '#server/http/route-access.ts'
import { type AppContext, createRouter } from '#server/http/router.ts'
import { type KeyActor, missingScope } from '#server/keys/index.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { KEY_NEEDED, scopeNeeded } from '#shared/contract/api-keys.ts'
import { buildServer, findTool } from './server.ts'
import { toolError } from './tool.ts'

/**
 * Routes of the MCP server: streamable HTTP without sessions. Each request creates a server object that has only the rights of
 * the request's API key.
 */
export const routes = createRouter()

/** Maximum size of a request body in bytes. The tool add_papers accepts up to 5 MB of files, which are larger in base64. */
const MOST_BYTES = 8 * 1024 * 1024
const message = z.looseObject({
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      _meta: z.looseObject({ progressToken: z.unknown() }).partial().optional(),
    })
    .optional(),
})
const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700

routes.post('/mcp', access({ role: 'user', body: 'text', maxBytes: MOST_BYTES, limit: 'none', scope: 'read' }), handle)
routes.on(['GET', 'DELETE'], '/mcp', access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' }), () => {
  refuseWhenOff()
  return new Response(null, { status: 405, headers: { allow: 'POST' } })
})

function refuseWhenOff() {
  if (!env.MCP) throw new AppError('not_found', 'There is nothing at this address.')
}

async function handle(context: AppContext): Promise<Response> {
  refuseWhenOff()
  const actor = context.get('actor')
  if (!actor?.key) throw new AppError('invalid_key', KEY_NEEDED)
  const body: unknown = await context.req.json().catch(() => undefined)
  if (body === undefined) return refused(PARSE_ERROR, 'The body is not JSON.')
  const parsed = message.safeParse(body)
  if (!parsed.success) return refused(INVALID_REQUEST, 'Send one JSON-RPC message. Batches are not supported.')
  const { method = 'response', params, id } = parsed.data
  const tool = method === 'tools/call' ? findTool(params?.name ?? '') : undefined
  const name = method === 'tools/call' ? (tool?.name ?? method) : /^[\w/]{1,60}$/.test(method) ? method : 'unknown'
  const note = (status: number) => context.set('recorded', { name, status })
  note(200)
  const missing = tool && missingScope(actor, [tool.scope])
  if (missing && id !== undefined) {
    note(403)
    return Response.json({ jsonrpc: '2.0', id, result: toolError(scopeNeeded(missing)) })
  }
  const server = buildServer(actor as KeyActor, { method, tool, address: addressOf(context), note })
  const transport = new WebStandardStreamableHTTPServerTransport({
    // Progress needs a stream.
    enableJsonResponse: params?._meta?.progressToken === undefined,
  })
  await server.connect(transport)
  closeAtAbort(context.req.raw.signal, new WeakRef(server))
  return transport.handleRequest(context.req.raw, { parsedBody: body })
}

/**
 * Closes a server when its request is aborted, which also aborts its running call. The listener must not hold a strong
 * reference to the server, because Node retains the signal of a request as long as a listener refers to the request.
 */
function closeAtAbort(signal: AbortSignal, server: WeakRef<McpServer>): void {
  signal.addEventListener('abort', () => void server.deref()?.close(), { once: true })
}

const refused = (code: number, text: string) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message: text } }, { status: 400 })
