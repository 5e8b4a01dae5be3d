import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, functionPath } from '#shared/contract/paths.ts'
import { type Collector, startCollector } from '#tests/helpers/collector.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests a server behind a TLS proxy: security headers, cookies, limits, log, metrics, traces and error reports. */

const SITE = 'https://lectern.example.org'
const TITLE = 'Confidential-Title-7261'
const EMAIL = 'very.private@people.example.org'
const METRICS_TOKEN = 'a-token-of-prometheus'

let collector: Collector
let server: TestServer
let ada: Client
let project: string
let address = 0
beforeAll(async () => {
  collector = await startCollector()
  const watching = {
    METRICS_TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ERROR_WEBHOOK_URL: `${collector.url}/errors`,
  }
  server = await startServer({
    env: { PUBLIC_URL: SITE, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: 'on', LOG_LEVEL: 'debug', ...watching },
  })
  ada = await signUp(server.url, { email: EMAIL })
  const body = { name: TITLE, description: TITLE }
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body })).data.id
})
afterAll(async () => {
  await server.stop()
  await collector.stop()
})

/** Returns the headers of a request through the proxy. The default client address is new. */
const from = (ip = `198.51.100.${(address += 1)}`) => ({ 'x-forwarded-for': ip })
const JSON_TYPE = { 'content-type': 'application/json' }

const signInAt = (email: string, password: string, headers: Record<string, string> = from()) =>
  fetch(server.url + api.signIn(), {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ email, password }),
  })
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
const statusWith = async (headers: Record<string, string>) =>
  (await fetch(server.url + api.projects(), { headers })).status

describe('every answer', () => {
  it('Every answer has security headers: pages, the API, refusals, pictures and missing pages', async () => {
    for (const [path, init] of [
      ['/'],
      ['/assets/none.js'],
      [api.site()],
      [api.projects()],
      ['/api/nothing'],
      ['/api/docs'],
      ['/files/project_hero/none'],
      [functionPath('list-models')],
      ['/auth/v1/nothing'],
      [api.signIn(), { method: 'POST', body: '{' }],
      ['/healthz'],
      ['/metrics'],
    ] as [string, RequestInit?][]) {
      const { headers } = await fetch(server.url + path, init)
      const policy = headers.get('content-security-policy') ?? ''
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000; includeSubDomains'])
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect([path, headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual([
        path,
        'DENY',
        'same-origin',
      ])
      expect([path, headers.get('permissions-policy')]).toEqual([path, expect.stringContaining('camera=()')])
      expect([path, headers.get('cross-origin-opener-policy')]).toEqual([path, 'same-origin'])
      expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin'])
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null])
      expect([path, headers.get('x-request-id')]).toEqual([path, expect.stringMatching(/^[\da-f-]{36}$/)])
      for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect([path, policy]).toEqual([path, expect.stringContaining(rule)])
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
      expect([path, scripts]).toEqual([path, expect.stringMatching(/^'self'(?: 'wasm-unsafe-eval')?$/)])
    }
  })

  it('An answer about a user is stored by no cache, and pages accept Trusted Types only', async () => {
    for (const path of [api.projects(), api.session(), functionPath('list-models')])
      expect([path, (await ada.fetch(path)).headers.get('cache-control')]).toEqual([path, 'no-store'])
    const page = (await fetch(`${server.url}/`)).headers.get('content-security-policy')
    expect(page).toContain("require-trusted-types-for 'script'; trusted-types default")
    expect(page).not.toMatch(/script-src[^;]*'unsafe-/)
  })
})

describe('a file of a person', () => {
  it('A file of a user is served with its type, in a sandbox, for any name', async () => {
    const pdf = onePagePdf(['x'])
    for (const name of [
      'a"; filename="evil.html.pdf',
      'a\r\nX-Evil: 1\r\n\r\n<script>.pdf',
      '../../../etc/passwd.pdf',
      '=cmd|x.pdf',
      '\u202Efdp.html.pdf',
    ]) {
      const { id } = await ada.upload(project, new File([pdf], name, { type: 'application/pdf' }))
      const { headers } = await ada.fetch(api.documentFile(id))
      expect(headers.get('content-type')).toBe('application/pdf')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-evil')).toBeNull()
      expect(headers.get('content-disposition')).toMatch(
        /^inline; filename="[^"\\/\r\n]*"; filename\*=UTF-8''[\w.%!~*'()-]*$/,
      )
    }
  })
})

describe('a session', () => {
  it('A session cookie is bound to its host and to https, and scripts cannot read it', async () => {
    const response = await signInAt(ada.email, ada.password)
    const cookies = response.headers.getSetCookie()
    expect(new Set(cookies.map((cookie) => cookie.split('=')[0]))).toEqual(
      new Set(['__Host-lectern.device', '__Host-lectern.session_token']),
    )
    for (const cookie of cookies) {
      for (const word of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']) expect(cookie).toContain(word)
      expect(cookie).not.toContain('Domain')
    }
  })

  it('Every sign-in creates a new session, and a cookie that was set before gives no access', async () => {
    const planted = '__Host-lectern.session_token=planted.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D'
    const first = cookieOf(await signInAt(ada.email, ada.password, { ...from(), cookie: planted }))
    const second = cookieOf(await signInAt(ada.email, ada.password, { ...from(), cookie: first }))
    expect(new Set([planted, first, second]).size).toBe(3)
    const statuses = [planted, first, second].map((cookie) => statusWith({ cookie }))
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
  })

  it('A session ends at the server by signing out, everywhere else, and with a new password', async () => {
    const bea = await signUp(server.url)
    const cookies = async () => cookieOf(await signInAt(bea.email, bea.password))
    const [one, two, three] = [await cookies(), await cookies(), await cookies()]
    await fetch(server.url + api.signOut(), { method: 'POST', headers: { cookie: one, origin: SITE } })
    expect(await statusWith({ cookie: one })).toBe(401)
    const stream = await fetch(server.url + api.events(), { headers: { cookie: three } })
    let isOpen = true
    void stream.body!.pipeTo(new WritableStream()).finally(() => (isOpen = false))
    const ended = await fetch(server.url + api.revokeOtherSessions(), { method: 'POST', headers: { cookie: two } })
    expect(ended.status).toBe(200)
    expect([await statusWith({ cookie: three }), await statusWith({ authorization: `Bearer ${bea.token}` })]).toEqual([
      401, 401,
    ])
    const again = await signIn(server.url, bea)
    // The next event ends the stream of a deleted session and is not sent.
    await expect
      .poll(async () => {
        await again.json(api.projects(), { body: { name: `Later ${crypto.randomUUID()}` } })
        return isOpen
      })
      .toBe(false)
    await again.json(api.changePassword(), {
      body: { currentPassword: bea.password, newPassword: 'another battery staple' },
    })
    expect([await statusWith({ cookie: two }), (await again.fetch(api.projects())).status]).toEqual([401, 200])
  })
})

describe('limits', () => {
  it('The sign-in limit counts each account, so that many addresses have no more tries than one', async () => {
    const carl = await signUp(server.url)
    const tries = await Promise.all(Array.from({ length: 21 }, () => signInAt(carl.email, 'not the password')))
    const statuses = tries.map(({ status }) => status)
    expect([statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length]).toEqual([
      20, 1,
    ])
    const late = await signInAt(carl.email.toUpperCase(), carl.password)
    expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await signInAt(ada.email, ada.password)).status).toBe(200)
  })

  it('The sign-in limit counts each address for all accounts, and reports when to retry', async () => {
    const here = from()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await signInAt(`unknown${n}@example.org`, 'wrong', here)).status)
    expect(statuses.slice(-2)).toEqual([429, 429])
    const refused = await signInAt(ada.email, ada.password, here)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('The limit of model calls applies to each user, and to each network address for all its users', async () => {
    const crowd = await Promise.all(Array.from({ length: 5 }, () => signUp(server.url)))
    const ask = (client: Client, headers: Record<string, string>) =>
      client.fetch(functionPath('generate-query-embedding'), { method: 'POST', headers, body: '{}' })
    const institute = { ...JSON_TYPE, ...from() }
    const alone = await Promise.all(Array.from({ length: 61 }, () => ask(crowd[0]!, institute)))
    expect(alone.filter(({ status }) => status === 429)).toHaveLength(1)
    const refused = alone.find(({ status }) => status === 429)!
    expect([await refused.json(), Number(refused.headers.get('retry-after'))]).toEqual([
      { error: 'Too many requests to the model in a short time. Please try again in a minute.' },
      expect.any(Number),
    ])
    for (const client of crowd.slice(1, 4)) await Promise.all(Array.from({ length: 60 }, () => ask(client, institute)))
    expect((await ask(crowd[4]!, institute)).status).toBe(429)
    expect((await ask(crowd[4]!, { ...JSON_TYPE, ...from() })).status).toBe(422)
  })
})

describe('logs and metrics', () => {
  it('The metrics are readable with the token only', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${ada.token}` }])
      expect((await fetch(`${server.url}/metrics`, { headers: headers as Record<string, string> })).status).toBe(404)
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(text).toMatch(/lectern_http_request_seconds_count\{route="POST \/api\/projects",status="201"\} [1-9]/)
    expect(text).toContain('lectern_database_connections{state="open"}')
    // The metric names that ready-made dashboards use.
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(text).toMatch(new RegExp(`^${name} `, 'm'))
    const { version, commit } = (
      (await (await fetch(server.url + api.site())).json()) as { data: { version: string; commit: string | null } }
    ).data
    expect(text).toContain(`lectern_build_info{version="${version}",commit="${commit ?? ''}"} 1`)
    for (const secret of [TITLE, EMAIL, ada.token, ada.userId]) expect(text).not.toContain(secret)
  })

  it('The metrics count jobs, calls of models and refused sign-ins, and measure the installation', async () => {
    const read = async () =>
      (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
    const figure = (text: string, series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length) ?? Number.NaN,
      )
    const wrong = 'lectern_sign_in_failures_total{reason="password"}'
    const before = figure(await read(), wrong)
    expect((await signInAt('stranger@people.example.org', 'a-wrong-password')).status).toBe(401)
    expect(figure(await read(), wrong)).toBe(before + 1)

    const file = new File([onePagePdf([TITLE, 'A sentence about reading.'])], 'x.pdf', { type: 'application/pdf' })
    const { id } = await ada.upload(project, file)
    for (const [path, body] of [
      [api.documentExtract(id), { method: 'text' }],
      [api.documentVectorize(id), {}],
    ] as const)
      await ada.job((await ada.json<{ data: { id: string } }>(path, { body })).data.id)
    await writeFile(join(server.dataDir, 'last-backup'), '2026-05-01T12:00:00Z\n')

    const text = await read()
    expect(figure(text, 'lectern_jobs_ended_total{kind="extract",outcome="completed"}')).toBe(1)
    expect(text).toMatch(
      /lectern_ai_calls_total\{provider="built-in",model="[^"]+",purpose="embedding",outcome="ok"\} [1-9]/,
    )
    expect(figure(text, 'lectern_job_seconds_count{kind="extract"}')).toBe(1)
    expect(figure(text, 'lectern_database_size_bytes')).toBeGreaterThan(1_000_000)
    expect(figure(text, 'lectern_disk_free_bytes')).toBeLessThan(figure(text, 'lectern_disk_size_bytes'))
    expect(figure(text, 'lectern_mail_waiting')).toBe(0)
    expect(figure(text, 'lectern_backup_last_success_timestamp_seconds')).toBe(Date.UTC(2026, 4, 1, 12) / 1000)
    expect(figure(text, 'lectern_feeds{state="failing"}')).toBe(0)
    for (const secret of [TITLE, EMAIL, ada.userId, project, id]) expect(text).not.toContain(secret)
  })

  it('The log has one line with an id for each request, and no address of a user, title, password or token', async () => {
    // Requests with personal data: a search, the address of a page, a link with a token, an address with an account,
    // and a name with a line break.
    await ada.fetch(api.documents({ search: TITLE }))
    await fetch(`${server.url}/${TITLE}/overview`)
    await fetch(`${server.url}/auth/v1/verify-email?token=${ada.token}`)
    await signInAt(EMAIL, 'a-wrong-password-9472')
    await fetch(server.url + api.signUp(), {
      method: 'POST',
      headers: { ...JSON_TYPE, ...from() },
      body: JSON.stringify({ email: EMAIL, password: 'another-password-5512' }),
    })
    await fetch(`${server.url}/api/documents/%0a%7B%22level%22:60%7D?x=${TITLE}`, {
      headers: { authorization: `Bearer ${ada.token}`, 'user-agent': `{"level":60} ${EMAIL}` },
    })
    const asked = await ada.fetch(api.project(project))
    const id = asked.headers.get('x-request-id')!

    await expect.poll(() => server.output()).toMatch(new RegExp(`${id}.*\n`))
    const output = server.output()
    const lines = output.split('\n').filter((line) => line !== '' && !line.includes('is ready at'))
    const parsed = lines.map((line) => JSON.parse(line) as { level: number; time: string; request?: string })
    expect(parsed.length).toBeGreaterThan(300)
    for (const { level, time } of parsed) expect([typeof level, time]).toEqual(['number', expect.stringMatching(/Z$/)])
    expect(parsed.find((line) => line.request === id)).toMatchObject({
      route: 'GET /api/projects/:id',
      status: 200,
      user: ada.userId,
    })
    expect(parsed).toContainEqual(
      expect.objectContaining({ route: 'POST /auth/v1/sign-in/email', status: 401, from: expect.any(String) }),
    )
    for (const secret of [
      TITLE,
      EMAIL,
      'people.example.org',
      ada.token,
      ada.token.split('.')[0]!,
      ada.password,
      'a-wrong-password-9472',
      'another-password-5512',
      METRICS_TOKEN,
      '"level":60',
    ])
      expect([secret, output.includes(secret)]).toEqual([secret, false])
  })

  it('Traces have spans of requests, jobs, calls of models and statements, and no content', async () => {
    interface Span {
      name: string
      traceId: string
      spanId: string
      parentSpanId?: string
      attributes: { key: string; value: object }[]
    }
    interface Batch {
      resourceSpans: { resource: { attributes: object[] }; scopeSpans: { spans: Span[] }[] }[]
    }
    const batches = () => collector.received('/v1/traces') as Batch[]
    const spans = () =>
      batches().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      )
    const file = new File([onePagePdf([TITLE, 'A second sentence about reading.'])], 'y.pdf', {
      type: 'application/pdf',
    })
    const { id } = await ada.upload(project, file)
    for (const [path, body] of [
      [api.documentExtract(id), { method: 'text' }],
      [api.documentVectorize(id), {}],
    ] as const)
      await ada.job((await ada.json<{ data: { id: string } }>(path, { body })).data.id)
    await expect
      .poll(() => spans().map(({ name }) => name))
      .toEqual(
        expect.arrayContaining([
          'GET /api/projects/:id',
          'job extract',
          'job vectorize',
          expect.stringMatching(/^embedding /),
        ]),
      )
    const request = spans().find(({ name }) => name === 'POST /api/projects')!
    expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } })
    const statement = spans().find(({ name, parentSpanId }) => name === 'INSERT' && parentSpanId === request.spanId)!
    expect(statement.traceId).toBe(request.traceId)
    expect(JSON.stringify(statement.attributes)).toContain('insert into')
    const job = spans().find(({ name }) => name === 'job vectorize')!
    expect(spans().find(({ name }) => name.startsWith('embedding '))!.traceId).not.toBe(request.traceId)
    expect(spans().filter(({ traceId }) => traceId === job.traceId).length).toBeGreaterThan(1)
    const sent = JSON.stringify(batches())
    expect(sent).toContain('{"key":"service.name","value":{"stringValue":"lectern"}}')
    for (const secret of [TITLE, EMAIL, ada.userId, ada.token, ada.password, 'A second sentence', 'y.pdf'])
      expect([secret, sent.includes(secret)]).toEqual([secret, false])
  })

  it('An unexpected error is reported to the address of the settings, without content and a few times a minute', async () => {
    await inDatabase(server, 'alter table notices rename to away')
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.fetch(api.notices())))
    await inDatabase(server, 'alter table away rename to notices')
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 500))
    await expect.poll(() => collector.received('/errors').length).toBe(5)
    const reports = collector.received('/errors')
    const { version } = ((await (await fetch(server.url + api.site())).json()) as { data: { version: string } }).data
    expect(reports[0]).toMatchObject({
      release: { version },
      message: 'a request failed unexpectedly',
      route: 'GET /api/notices',
      error: { cause: { code: '42P01' }, stack: expect.stringContaining('at ') },
    })
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toContain((reports[0] as { request: string }).request)
    for (const secret of [TITLE, EMAIL, ada.userId, ada.token]) expect(JSON.stringify(reports)).not.toContain(secret)
  })
})
