import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createService, readJson } from './service.ts'

/** The handler of the test server. Every test sets its own. */
let answer: RequestListener
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  answer(request, response)
})
let url: URL

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const shape = z.object({ ok: z.boolean() })

const limits = { maxBytes: 1000, withinMs: 5000 }
const read = async (more = limits) => readJson('Thing', await createService('Thing', 2).call(url, more), shape)
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  )

describe('outside service calls', () => {
  it.each<[string, RequestListener, object, number?]>([
    [
      'stops in the middle of the body',
      (_, to) => void to.writeHead(200).write('{"ok":'),
      { code: 'outside_slow' },
      300,
    ],
    [
      'sends its body too slowly',
      (_, to) => {
        const timer = setInterval(() => to.write(' '), 20)
        to.on('close', () => clearInterval(timer))
      },
      { code: 'outside_slow' },
      300,
    ],
    [
      'breaks the connection in the body',
      (_, to) => void to.writeHead(200, { 'content-length': 99 }).write('{"ok":', () => to.destroy()),
      { code: 'outside_failed', message: 'Thing broke off its answer. Please try again later.' },
    ],
    ['sends too many bytes', (_, to) => void to.end(`{"ok":true}${' '.repeat(2000)}`), { code: 'outside_failed' }],
    ['sends another shape', (_, to) => void to.end('{"fine":true}'), { code: 'outside_failed' }],
  ])('readJson reports a service that %s', async (_what, reply, known, withinMs = 30_000) => {
    answer = reply
    expect(await failure(read({ ...limits, withinMs }))).toMatchObject(known)
  })

  it('A GET request is retried after the Retry-After of the service', async () => {
    asked = 0
    answer = (_, to) => (asked < 3 ? to.writeHead(503, { 'retry-after': '0' }).end() : to.end('{"ok":true}'))
    expect(await read()).toEqual({ ok: true })
    expect(asked).toBe(3)
  })

  it('A request is not retried after a Retry-After of an hour', async () => {
    asked = 0
    answer = (_, to) => to.writeHead(429, { 'retry-after': '3600' }).end()
    expect(await failure(read())).toMatchObject({ code: 'too_many', retryAfter: 3600 })
    expect(asked).toBe(1)
  })

  it('A request that gets no response is not retried while a person waits', async () => {
    asked = 0
    answer = () => undefined
    const waiting = createService('Thing', 2).call(url, { withinMs: 200 })
    expect(await failure(waiting)).toMatchObject({ code: 'outside_slow' })
    expect(asked).toBe(1)
  })

  it('A request is not retried when Retry-After exceeds the time that a person waits', async () => {
    asked = 0
    answer = (_, to) => to.writeHead(429, { 'retry-after': '20' }).end()
    const waiting = createService('Thing', 2).call(url, { withinMs: 10_000 })
    expect(await failure(waiting)).toMatchObject({ code: 'too_many', retryAfter: 20 })
    expect(asked).toBe(1)
  })

  it('A service that fails five times in a row is not called for a while', async () => {
    const service = createService('Thing', 2)
    const post = () => failure(service.call(url, { method: 'POST' }))
    asked = 0
    answer = (_, to) => to.writeHead(500).end()
    for (let turn = 0; turn < 5; turn += 1) expect(String(await post())).toMatch(/failed \(500\)/)
    expect(String(await post())).toMatch(/not answering at the moment/)
    expect(asked).toBe(5)
  })

  it('A call that waits for other calls ends at its time limit or abort, is not sent, and is no failure of the service', async () => {
    const held: ServerResponse[] = []
    asked = 0
    answer = (_, to) => void held.push(to)
    const service = createService('Thing', 1)
    const first = service.call(url)
    const control = new AbortController()
    const aborted = failure(service.call(url, { signal: control.signal }))
    const late = Array.from({ length: 5 }, () => failure(service.call(url, { withinMs: 50 })))
    control.abort(new Error('left the page'))
    expect(await aborted).toMatchObject({ message: 'left the page' })
    for (const error of await Promise.all(late)) expect(error).toMatchObject({ code: 'outside_slow' })
    await expect.poll(() => held.length).toBe(1)
    answer = (_, to) => void to.end('{"ok":true}')
    held[0]!.end('{"ok":true}')
    for (const response of [await first, await service.call(url)]) expect(await response.json()).toEqual({ ok: true })
    expect(asked).toBe(2)
  })

  it('A service is called after calls that waited for other calls and had too little time left', async () => {
    const held: ServerResponse[] = []
    answer = (_, to) => void held.push(to)
    const service = createService('Thing', 5)
    const first = Array.from({ length: 5 }, () => service.call(url))
    const late = Array.from({ length: 5 }, () => failure(service.call(url, { withinMs: 300 })))
    await expect.poll(() => held.length).toBe(5)
    for (const to of held.splice(0)) to.end('{"ok":true}')
    for (const response of await Promise.all(first)) expect(await response.json()).toEqual({ ok: true })
    for (const error of await Promise.all(late)) expect(error).toMatchObject({ code: 'outside_slow' })
    answer = (_, to) => void to.end('{"ok":true}')
    expect(await (await service.call(url)).json()).toEqual({ ok: true })
  })

  it('Concurrent calls stay within the limit of the service', async () => {
    let now = 0
    let most = 0
    answer = (_, to) => {
      most = Math.max(most, (now += 1))
      setTimeout(() => {
        now -= 1
        to.end('{}')
      }, 20)
    }
    const service = createService('Thing', 2)
    await Promise.all(Array.from({ length: 6 }, async () => (await service.call(url)).text()))
    expect(most).toBe(2)
  })
})
