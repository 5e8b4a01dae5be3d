import type { lookup, LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { env } from '#server/lib/env.ts'
import { guardedFetch, publicLookup } from './guarded-fetch.ts'
import { isPublicAddress } from './public-address.ts'

const servers: Server[] = []
const limits = { maxBytes: 100_000, timeoutMs: 5000 }

/** Starts a server on loopback. If `allowed` is true, the server's address is in GUARDED_FETCH_ALLOW. */
async function serve(listener: RequestListener, allowed = true): Promise<{ url: string; port: number }> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  if (allowed) env.GUARDED_FETCH_ALLOW.push(`127.0.0.1:${port}`)
  return { url: `http://127.0.0.1:${port}/`, port }
}

afterEach(async () => {
  env.GUARDED_FETCH_ALLOW.length = 0
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const textOf = (body: ReadableStream<Uint8Array>) =>
  new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).text()
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  )

describe('guarded fetch: addresses', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '192.88.99.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::8.8.8.8',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001::1',
    '2001:db8::1',
    '::ffff:0:127.0.0.1',
    '100::1',
    '5f00::1',
    '4000::1',
    '1::1',
    'a.b',
    '',
  ])('Address %s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.167.1.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('Address %s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://１２７.０.０.１/',
    'http://localhost/',
    'https://localhost:8443/',
  ])('Address %s is refused', async (address) =>
    expect(await failure(guardedFetch(address, limits))).toMatchObject({
      code: 'refused',
      message: 'This address is not public and cannot be read.',
    }),
  )

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://example.org/',
    'data:text/plain,hi',
    'javascript:1',
    'not an address',
    '',
  ])('Address %j is refused because it is not http', async (address) =>
    expect(await failure(guardedFetch(address, limits))).toMatchObject({
      code: 'refused',
      message: 'Only http and https addresses can be read.',
    }),
  )

  it('Addresses with a password are refused', async () =>
    expect(await failure(guardedFetch('http://user:secret@example.org/', limits))).toMatchObject({
      code: 'refused',
      message: expect.not.stringContaining('secret'),
    }))
})

describe('guarded fetch: DNS lookup', () => {
  const resolving = (...answers: LookupAddress[][]) =>
    publicLookup(((_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
      done(null, answers.shift() ?? [])) as typeof lookup)
  const ask = (look: ReturnType<typeof publicLookup>, all: boolean) =>
    new Promise((resolve) => look('paper.example', { all }, (error, address) => resolve(error ?? address)))
  const open = { address: '93.184.216.34', family: 4 }
  const inside = { address: '10.0.0.5', family: 4 }

  it('The lookup returns the addresses that it checked', async () => {
    expect(await ask(resolving([open]), true)).toEqual([open])
    expect(await ask(resolving([open]), false)).toBe('93.184.216.34')
  })
  it('The lookup refuses a name with one private address among public ones', async () =>
    expect(await ask(resolving([open, inside]), true)).toMatchObject({ code: 'refused' }))
  it('The lookup checks a name every time, which defeats DNS rebinding', async () => {
    const look = resolving([open], [inside])
    expect(await ask(look, false)).toBe('93.184.216.34')
    expect(await ask(look, false)).toMatchObject({ code: 'refused' })
  })
})

describe('guarded fetch: response', () => {
  it('An allowed server is read with the fixed headers only', async () => {
    const { url } = await serve((request, response) =>
      response.setHeader('content-type', 'application/pdf').end(JSON.stringify(request.headers)),
    )
    const answer = await guardedFetch(url, {
      ...limits,
      accept: 'application/pdf',
      headers: { Authorization: 'Bearer x', Cookie: 'a=b', 'x-wanted': 'yes' },
    })
    expect(answer).toMatchObject({ status: 200, url })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    const seen = JSON.parse(await textOf(answer.body)) as Record<string, string>
    expect(seen).toMatchObject({ accept: 'application/pdf', 'x-wanted': 'yes' })
    expect(seen).not.toHaveProperty('authorization')
    expect(seen).not.toHaveProperty('cookie')
  })

  it('An allowed server is not read on another port (FUNC-13)', async () => {
    await serve((_request, response) => response.end('one'))
    const other = await serve((_request, response) => response.end('two'), false)
    expect(await failure(guardedFetch(other.url, limits))).toMatchObject({ code: 'refused' })
  })

  it('The status of an allowed server is returned to the caller', async () => {
    const { url } = await serve((_request, response) => response.writeHead(404).end('gone'))
    const answer = await guardedFetch(url, limits)
    expect([answer.status, await textOf(answer.body)]).toEqual([404, 'gone'])
  })

  it('An allowed server can redirect to an allowed address', async () => {
    const goal = await serve((_request, response) => response.end('arrived'))
    const { url } = await serve((_request, response) => response.writeHead(302, { location: goal.url }).end())
    const answer = await guardedFetch(url, limits)
    expect([answer.url, await textOf(answer.body)]).toEqual([goal.url, 'arrived'])
  })

  it.each(['http://169.254.169.254/', 'http://[::1]/', 'file:///etc/passwd', 'http://u:p@127.0.0.1/'])(
    'An allowed server cannot redirect to %s',
    async (location) => {
      const { url } = await serve((_request, response) => response.writeHead(301, { location }).end())
      expect(await failure(guardedFetch(url, limits))).toMatchObject({ code: 'refused' })
    },
  )

  it('An allowed server cannot redirect to a running private server, by address or by name', async () => {
    let asked = 0
    const inside = await serve((_request, response) => response.end(String((asked += 1))), false)
    for (const location of [inside.url, `http://localhost:${inside.port}/`]) {
      const { url } = await serve((_request, response) => response.writeHead(307, { location }).end())
      expect(await failure(guardedFetch(url, limits))).toMatchObject({ code: 'refused' })
    }
    expect(asked).toBe(0)
  })

  it('An allowed server can redirect five times, not six', async () => {
    const turns = (count: number) =>
      serve((request, response) => {
        const at = Number(request.url?.slice(1)) || 0
        return at < count ? response.writeHead(302, { location: `/${at + 1}` }).end() : response.end('end')
      })
    expect(await textOf((await guardedFetch((await turns(5)).url, limits)).body)).toBe('end')
    expect(await failure(guardedFetch((await turns(6)).url, limits))).toMatchObject({ code: 'outside_failed' })
  })

  it('A response is aborted when its content-length is too large', async () => {
    const { url } = await serve((_request, response) => response.end(Buffer.alloc(200_000)))
    expect(await failure(guardedFetch(url, limits))).toMatchObject({ code: 'too_large' })
  })

  it('A response is aborted when its body is endless', async () => {
    let sent = 0
    const { url } = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000
      }
      response.on('drain', more)
      more()
    })
    const { body } = await guardedFetch(url, limits)
    expect(await failure(textOf(body))).toMatchObject({ code: 'too_large' })
    expect(sent).toBeLessThan(50_000_000)
  })

  it('A response is aborted when its decompressed body is too large', async () => {
    const { url } = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      const gzip = createGzip()
      gzip.pipe(response)
      for (let piece = 0; piece < 50; piece += 1) gzip.write(Buffer.alloc(1_000_000))
      gzip.end()
    })
    const { body } = await guardedFetch(url, limits)
    expect(await failure(textOf(body))).toMatchObject({ code: 'too_large' })
  })

  it('A gzip response within the limit is read', async () => {
    const { url } = await serve((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
    )
    const { body, headers } = await guardedFetch(url, limits)
    expect([await textOf(body), headers.get('content-encoding')]).toEqual(['packed', null])
  })

  it('A request times out when the server does not answer or stops in the middle', async () => {
    const silent = await serve(() => {})
    expect(await failure(guardedFetch(silent.url, { ...limits, timeoutMs: 150 }))).toMatchObject({
      code: 'outside_slow',
    })
    const stuck = await serve((_request, response) => void response.write('the beginning'))
    const { body } = await guardedFetch(stuck.url, { ...limits, timeoutMs: 2000 })
    expect(await failure(textOf(body))).toMatchObject({ code: 'outside_slow' })
  })

  it('A response that ends early is an error, not a short file', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => setTimeout(() => response.destroy(), 20))
    })
    const { body } = await guardedFetch(url, limits)
    expect(await failure(textOf(body))).toMatchObject({ code: 'outside_failed' })
  })

  it('A server that is not reachable is an error', async () => {
    const { url } = await serve((_request, response) => response.end())
    const [server] = servers.splice(0)
    await new Promise((resolve) => server!.close(resolve))
    expect(await failure(guardedFetch(url, limits))).toMatchObject({ code: 'outside_failed' })
  })
})
