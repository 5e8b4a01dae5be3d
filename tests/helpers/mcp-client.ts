import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { api } from '#shared/contract/paths.ts'
import type { Client as User } from './client.ts'

/**
 * The result of an MCP tool. `data`: its structured content. `text`: the text of its first content part. `isError`: the tool
 * failed.
 */
export interface ToolResult {
  data: Record<string, unknown>
  text: string
  isError: boolean
}

/** Creates an API key of a user and returns its secret. `project_ids` null: the key is valid for all projects of the user. */
export async function newKey(
  user: User,
  { scopes = ['read', 'ask', 'write'], project_ids = null as string[] | null } = {},
): Promise<string> {
  const body = { name: 'Assistant', scopes, project_ids }
  return (await user.json<{ data: { key: string } }>(api.keys(), { body })).data.key
}

/** Connects a client of the official MCP SDK, which validates the result of each tool against the schema of the tool. */
export async function connectMcp(url: string, key: string) {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  // The client validates the results of a tool only after it has listed the tools.
  await client.listTools()
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<ToolResult> => {
    const result = (await client.callTool({ name, arguments: given })) as CallToolResult
    const [first] = result.content
    return {
      data: result.structuredContent ?? {},
      text: first?.type === 'text' ? first.text : '',
      isError: result.isError === true,
    }
  }
  return { client, call }
}

/** Calls a method of the MCP server by plain HTTP, as a program without the SDK does. */
export async function postMcp(url: string, key: string | null, method: string, params: object = {}) {
  const response = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return {
    response,
    body: (await response.json()) as {
      result?: Record<string, unknown>
      error?: { code: number | string; message: string }
    },
  }
}
