import { createServer } from 'node:net'
import { expect, it, vi } from 'vitest'
import { migrationServer } from './migration-server.ts'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => probe.once('listening', ready))
  const { port } = probe.address() as { port: number }
  await new Promise((closed) => probe.close(closed))
  return port
}

it('The server reports the progress of a migration at /readyz with 503 before it is ready', async () => {
  const port = await freePort()
  const server = migrationServer({ host: '127.0.0.1', port })
  server.report(10_000, 25_000)
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  await vi.waitFor(() => at('/healthz'))
  expect((await at('/healthz')).status).toBe(200)
  server.report(20_000, 25_000)
  const answer = await at('/readyz')
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({
    status: 'not ready',
    failed: ['migration'],
    progress: { done: 20_000, total: 25_000 },
  })
  await server.close()
  await expect(at('/readyz')).rejects.toThrow('fetch failed')
})
