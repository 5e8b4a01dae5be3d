import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createService, readJson } from './service.ts'

/** What the service on loopback answers; every test sets its own. */
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
const limits = { bytes: 1000, ms: 200 }
const read = async () => readJson('Thing', await createService('Thing', 2).call(url), shape, limits)
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  )

describe('an outside service', () => {
  it.each<[string, RequestListener, object]>([
    ['sends half a body and is silent', (_, to) => void to.writeHead(200).write('{"ok":'), { code: 'outside_slow' }],
    [
      'sends a byte now and then',
      (_, to) => {
        const timer = setInterval(() => to.write(' '), 20)
        to.on('close', () => clearInterval(timer))
      },
      { code: 'outside_slow' },
    ],
    [
      'breaks off its body',
      (_, to) => void to.writeHead(200, { 'content-length': 99 }).write('{"ok":', () => to.destroy()),
      { code: 'outside_failed', message: 'Thing broke off its answer. Please try again later.' },
    ],
    ['sends too much', (_, to) => void to.end(`{"ok":true}${' '.repeat(2000)}`), { code: 'outside_failed' }],
    ['changes its shape', (_, to) => void to.end('{"fine":true}'), { code: 'outside_failed' }],
  ])('that %s is a failure of its own', async (_what, reply, known) => {
    answer = reply
    expect(await failure(read())).toMatchObject(known)
  })

  it('that stumbles is asked again, as soon as it allows', async () => {
    asked = 0
    answer = (_, to) => (asked < 3 ? to.writeHead(503, { 'retry-after': '0' }).end() : to.end('{"ok":true}'))
    expect(await read()).toEqual({ ok: true })
    expect(asked).toBe(3)
  })

  it('that asks for a longer pause than anybody waits is not asked again', async () => {
    asked = 0
    answer = (_, to) => to.writeHead(429, { 'retry-after': '3600' }).end()
    expect(await failure(read())).toMatchObject({ code: 'too_many', retryAfter: 3600 })
    expect(asked).toBe(1)
  })

  it('that is silent is asked once while a person waits', async () => {
    asked = 0
    answer = () => undefined
    const waiting = createService('Thing', 2).call(url, { withinMs: 200 })
    expect(await failure(waiting)).toMatchObject({ code: 'outside_slow' })
    expect(asked).toBe(1)
  })

  it('that asks for a longer pause than a person waits is not asked again', async () => {
    asked = 0
    answer = (_, to) => to.writeHead(429, { 'retry-after': '2' }).end()
    const waiting = createService('Thing', 2).call(url, { withinMs: 1000 })
    expect(await failure(waiting)).toMatchObject({ code: 'too_many', retryAfter: 2 })
    expect(asked).toBe(1)
  })

  it('that fails again and again is left alone', async () => {
    const service = createService('Thing', 2)
    const post = () => failure(service.call(url, { method: 'POST' }))
    asked = 0
    answer = (_, to) => to.writeHead(500).end()
    for (let turn = 0; turn < 5; turn += 1) expect(String(await post())).toMatch(/failed \(500\)/)
    expect(String(await post())).toMatch(/not answering at the moment/)
    expect(asked).toBe(5)
  })

  it('is asked by so many at once as it allows, and never more', async () => {
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
