import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

interface Answer {
  status: number
  type: string
  text: string
}

/** Sends a request to the server with `host` as its Host header, instead of the address of the server. */
function ask(
  { url }: TestServer,
  host: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((done, fail) => {
    const sent = request(url + path, { method, headers: { ...headers, host } }, (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => (text += part.toString()))
      answer.on('end', () => done({ status: answer.statusCode!, type: answer.headers['content-type'] ?? '', text }))
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

describe('a server with PUBLIC_URL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ env: { PUBLIC_URL: 'https://lectern.example.org', METRICS_TOKEN: 'of-prometheus' } })
  })
  afterAll(() => server.stop())

  it('The server answers only requests to its own host name or a loopback name, and the refusal names PUBLIC_URL', async () => {
    const { port } = new URL(server.url)
    for (const host of ['lectern.example.org', 'LECTERN.example.org:443', 'localhost', `127.0.0.1:${port}`, '[::1]:1'])
      expect([host, (await ask(server, host, api.site())).status]).toEqual([host, 200])
    for (const host of ['evil.example', `evil.example:${port}`, '192.168.1.5', 'lectern.example.org.evil.example'])
      for (const path of ['/', api.site(), api.session(), '/assets/none.js', '/files/project_hero/none'])
        expect([host, path, (await ask(server, host, path)).status]).toEqual([host, path, 421])
    const refused = await ask(server, 'evil.example', api.site())
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { code: 'misdirected', message: expect.stringMatching(/https:\/\/lectern\.example\.org.*PUBLIC_URL/) },
    })
    const page = await ask(server, 'evil.example', '/', { headers: { accept: 'text/html,*/*' } })
    expect([page.status, page.type, page.text]).toEqual([
      421,
      expect.stringContaining('text/plain'),
      expect.stringMatching(/^This server does not answer to the name evil\.example\. Open /),
    ])
  })

  it('The server creates no account for a page whose name points to it', async () => {
    const body = JSON.stringify({ email: 'evil@example.org', password: 'correct horse battery' })
    const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const signUp = (host: string, origin: string) =>
      ask(server, host, api.signUp(), { method: 'POST', headers: { ...own, origin }, body })
    expect((await signUp('evil.example', 'http://evil.example')).status).toBe(421)
    expect((await signUp('localhost', 'http://evil.example')).status).toBe(403)
    expect((await signUp('localhost', 'http://localhost')).status).toBe(200)
  })

  it('The server answers monitoring requests to any host name', async () => {
    expect((await ask(server, '10.1.2.3:3000', '/healthz')).status).toBe(200)
    expect((await ask(server, 'lectern-7d9f', '/readyz')).status).toBe(200)
    const headers = { authorization: 'Bearer of-prometheus' }
    expect((await ask(server, '10.1.2.3', '/metrics', { headers })).status).toBe(200)
  })
})

it('A server on all addresses without PUBLIC_URL answers requests to IP addresses, and names the missing setting at the start', async () => {
  const server = await startServer({ env: { HOST: '0.0.0.0' } })
  try {
    for (const host of ['192.168.1.5:3000', '[2001:db8::5]', 'localhost'])
      expect([host, (await ask(server, host, api.site())).status]).toEqual([host, 200])
    expect((await ask(server, 'evil.example', api.site())).status).toBe(421)
    expect(server.output()).toContain('set PUBLIC_URL to the address that people use')
  } finally {
    await server.stop()
  }
})
