import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { DRAIN_SECONDS: '8' } })
})
afterAll(() => server.stop())

it('The server keeps an idle connection open for 75 seconds, longer than proxies do, so that no proxy uses a connection that closes', async () => {
  const { headers } = await fetch(`${server.url}/healthz`)
  expect(headers.get('keep-alive')).toBe('timeout=75')
})

it('A server that stops reports it in /readyz and still answers, so that a proxy sends no request to a closed port', async () => {
  const stopped = server.kill('SIGTERM')
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return [answer.status, await answer.json()]
  }
  await expect.poll(ready).toEqual([503, { status: 'not ready', failed: ['server'], reasons: { server: 'stopping' } }])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await stopped
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
})
