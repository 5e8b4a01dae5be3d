import { setImmediate } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { KeyActor } from '#server/keys/index.ts'
import { type Call, defineTool } from './tool.ts'

const actor: KeyActor = {
  userId: 'ada',
  isAdmin: false,
  key: { id: 'k', scopes: ['read', 'ask'], rights: [], projects: null },
}

it.each([
  ['ask', 2],
  ['read', 4],
] as const)('Of four calls of a tool with the scope %s by one user, %i run at the same time', async (scope, atOnce) => {
  let running = 0
  let most = 0
  const tool = defineTool({
    name: 'count',
    scope,
    title: 'Count',
    description: 'Counts the calls that run at the same time.',
    input: z.object({}),
    output: z.object({}),
    run: async () => {
      most = Math.max(most, (running += 1))
      // This takes longer than the arrival of the other calls.
      for (let turn = 0; turn < 100; turn += 1) await setImmediate()
      running -= 1
      return {}
    },
  })
  const server = new McpServer({ name: 'test', version: '1' })
  const call = ({ signal }: { signal: AbortSignal }): Call => ({
    actor,
    signal,
    report: async () => {},
    count: async () => {},
    note: () => {},
  })
  tool.register(server, call, 'run')
  const client = new Client({ name: 'test', version: '1' })
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ofServer), client.connect(ofClient)])
  await Promise.all(Array.from({ length: 4 }, () => client.callTool({ name: 'count' })))
  expect(most).toBe(atOnce)
  await client.close()
})
