import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAccessTable } from '#tests/helpers/access-table.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { RIGHTS_OF } from '#shared/contract/roles.ts'

/** This file tests attacks by a user who has an account. The server runs with the settings of production. */

const PRODUCTION = { NODE_ENV: 'production', MAX_UPLOAD_MB: '1' }
const TEXT = '[Page 1]\nNaps helped older adults fall asleep. Whales sing at night.'
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

let server: TestServer
let ada: Client
let eve: Client
let project: string
let document: DocumentRow
let job: Job
beforeAll(async () => {
  server = await startServer({ env: PRODUCTION })
  ada = await signUp(server.url)
  eve = await signUp(server.url)
  project = (
    await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Private', tags: ['secret-tag'] } })
  ).data.id
  document = await newDocument()
  job = (await ada.json<{ data: Job }>(api.documentVectorize(document.id), { body: {} })).data
  await ada.job(job.id)
})
afterAll(() => server.stop())

async function newDocument(): Promise<DocumentRow> {
  const made = await ada.upload<DocumentRow>(project, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  await ada.json(api.documentText(made.id), { method: 'PUT', body: { extracted_text: TEXT } })
  return made
}

async function send(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const response = await client.fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  })
  const text = await response.text()
  // No response contains internals of the server.
  expect(text).not.toMatch(/Failed query|insert into|select \\?"|node_modules|\.ts:\d+|at async /)
  return { status: response.status, text }
}

/** The roles of routes that read or change data of an account, or of a project for its members. */
const OWN_ROLES = new Set<string>(['owner', 'owner or admin', ...RIGHTS_OF.owner])

/** An operation of the API description. */
interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema: { enum?: string[] } }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

describe('data of another user', () => {
  it('Data of another user is not found by any operation with an id (SEC-11)', async () => {
    const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>
    }
    const ids: Record<string, string> = {
      projects: project,
      documents: document.id,
      jobs: job.id,
      profiles: ada.userId,
    }
    const before = await ada.json<{ data: DocumentDetail }>(api.document(document.id))
    const table = readAccessTable()
    let tried = 0
    for (const [path, item] of Object.entries(paths).filter(([one]) => one.includes('{id}')))
      for (const [method, operation] of Object.entries(item)) {
        // tests/api/access.test.ts tries the routes of admins, and marks on articles without an owner.
        const rule = table[`${method.toUpperCase()} ${path.replace('{id}', ':id')}`]
        if (!rule || !OWN_ROLES.has(rule.role)) continue
        const required = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required)
        const query = required.map(({ name, schema }) => `${name}=${schema.enum?.[0] ?? 'x'}`).join('&')
        const address = `${path.replace('{id}', ids[path.split('/')[2]!]!)}?${query}`
        const answer = await send(
          eve,
          method.toUpperCase(),
          address,
          operation.requestBody?.content['application/json']?.example,
        )
        expect([method, path, answer.status]).toEqual([method, path, 404])
        tried += 1
      }
    expect(tried).toBeGreaterThanOrEqual(16)
    expect(await ada.json(api.document(document.id))).toEqual(before)
    expect((await ada.json<{ data: { name: string } }>(api.project(project))).data.name).toBe('Private')
  })

  it('Data of another user is in no list, count, filter or tag (TAG-04)', async () => {
    for (const path of [
      api.projects(),
      api.documents(),
      api.documents({ project_id: project }),
      api.documents({ search: 'paper' }),
      api.jobs(),
      api.jobs({ document_id: document.id }),
      api.tags(),
    ])
      expect([path, await eve.json(path)]).toMatchObject([path, { data: [], count: 0 }])
    expect((await send(eve, 'GET', api.documentFilters(project))).status).toBe(404)
  })

  it('Data of another user cannot be taken over by a project, an owner or a path in the body', async () => {
    const own = (
      await eve.json<{ data: { id: string } }>(api.projects(), {
        body: { name: 'Mine', owner_id: ada.userId, id: project },
      })
    ).data
    expect(own).toMatchObject({ owner_id: eve.userId })
    expect(own.id).not.toBe(project)
    const form = new FormData()
    for (const [name, value] of Object.entries({
      project_id: own.id,
      owner_id: ada.userId,
      status: 'completed',
      source_url: document.source_url!,
    }))
      form.append(name, value)
    form.append('file', new File([paper], 'x.pdf'))
    const made = (
      (await (await eve.fetch(api.documents(), { method: 'POST', body: form })).json()) as { data: DocumentRow }
    ).data
    expect(made).toMatchObject({ owner_id: eve.userId, status: 'pending' })
    expect(made.source_url).not.toBe(document.source_url)
    const stolen = {
      owner_id: ada.userId,
      source_url: document.source_url,
      content_hash: 'x',
      vectorized_at: '2020-01-01T00:00:00Z',
      file_size: 1,
    }
    await eve.json(api.document(made.id), { method: 'PATCH', body: { ...stolen, title: 'Mine' } })
    const after = (await eve.json<{ data: DocumentDetail }>(api.document(made.id))).data
    expect(after).toMatchObject({
      title: 'Mine',
      owner_id: eve.userId,
      source_url: made.source_url,
      vectorized_at: null,
      file_size: made.file_size,
    })
    expect((await send(eve, 'PATCH', api.document(made.id), { project_id: project })).status).toBe(404)
    expect(
      (
        await eve.json<{ data: { is_admin: boolean } }>(api.profile(eve.userId), {
          method: 'PATCH',
          body: { is_admin: true, email: ada.email, id: ada.userId },
        })
      ).data,
    ).toMatchObject({ is_admin: false, email: eve.email })
  })

  it('Data of another user is not in the event stream', async () => {
    const stop = new AbortController()
    const stream = await eve.fetch(api.events(), { signal: stop.signal, headers: { 'last-event-id': '0' } })
    await ada.json(api.document(document.id), { method: 'PATCH', body: { title: 'Quiet' } })
    const mine = (await eve.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Loud' } })).data.id
    let heard = ''
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
      heard += piece
      if (heard.includes(mine)) break
    }
    stop.abort()
    for (const id of [document.id, project, job.id]) expect(heard).not.toContain(id)
  })
})

it('An event stream of a user works while another user opens streams without end', async () => {
  // A HEAD request opens no stream.
  for (let n = 0; n < 40; n++) expect((await eve.fetch(api.events(), { method: 'HEAD' })).status).toBe(200)
  const stop = new AbortController()
  // The responses stay referenced until the abort: fetch ends the stream of a response that is garbage-collected.
  const streams = await Promise.all(Array.from({ length: 34 }, () => eve.fetch(api.events(), { signal: stop.signal })))
  const statuses = streams.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(30).fill(200), 429, 429, 429, 429])
  expect((await ada.fetch(api.events(), { signal: stop.signal })).status).toBe(200)
  expect(streams.some((stream) => stream.bodyUsed)).toBe(false)
  stop.abort()
  const again = new AbortController()
  await expect
    .poll(async () => (await eve.fetch(api.events(), { signal: again.signal })).status, { interval: 100 })
    .toBe(200)
  again.abort()
})

describe('the account calls', () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  it('The account calls accept a program whose fetch sends Sec-Fetch-Mode and no Origin', async () => {
    expect(
      (await post(api.signIn(), { email: ada.email, password: ada.password }, { 'sec-fetch-mode': 'cors' })).status,
    ).toBe(200)
  })

  it.each(['update-user', 'list-accounts', 'error', 'delete-user', 'change-email', 'ok'])(
    'The account calls answer nothing at the unused address %s',
    async (name) => {
      for (const method of ['GET', 'POST'])
        expect((await send(eve, method, `/auth/v1/${name}`, method === 'GET' ? undefined : {})).status).toBe(404)
    },
  )

  it('The account calls read a small part of a body, and refuse a body that is not an object', async () => {
    expect((await post(api.signUp(), { email: 'x@example.org', password: 'a'.repeat(100_000) })).status).toBe(413)
    for (const body of [null, [], 'text', 1]) expect((await post(api.signIn(), body)).status).toBe(400)
    expect((await post(api.signIn(), { email: 'x@example.org', password: '\0' })).status).toBe(422)
  })

  it('The account calls refuse an invalid name or address, and ignore other fields of an account', async () => {
    const account = { email: 'long@example.org', password: 'correct horse battery' }
    const refused = [{ name: 'x'.repeat(201) }, { name: 'x\0y' }, { email: `${'x'.repeat(250)}@example.org` }]
    for (const wrong of refused) expect((await post(api.signUp(), { ...account, ...wrong })).status).toBe(422)
    const more = { image: 'http://evil.example/x.png', emailVerified: true, role: 'admin', is_admin: true, id: 'x' }
    const { user } = (await (await post(api.signUp(), { ...account, ...more })).json()) as { user: object }
    expect(user).toMatchObject({ name: 'long', image: null, emailVerified: false })
  })

  it('A header that names another client does not bypass the limit of sign-ins', async () => {
    const limited = await startServer({ env: { ...PRODUCTION, RATE_LIMIT: 'on' } })
    try {
      const statuses: number[] = []
      for (let n = 0; n < 14; n++) {
        const spoofed = Object.fromEntries(
          ['x-lectern-client', 'x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded'].map((name) => [
            name,
            `203.0.113.${n}`,
          ]),
        )
        const response = await fetch(limited.url + api.signIn(), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...spoofed },
          body: '{"email":"a@example.org","password":"wrong password"}',
        })
        statuses.push(response.status)
      }
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
      expect(statuses.slice(-3)).toEqual([429, 429, 429])
    } finally {
      await limited.stop()
    }
  })
})

it('The account calls refuse changes that another site requests with the cookie of the user', async () => {
  const signedIn = await fetch(server.url + api.signIn(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada.email, password: ada.password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const json = { 'content-type': 'application/json' }
  const ask = (headers: Record<string, string>, body = '{"name":"Forged"}') =>
    fetch(server.url + api.projects(), { method: 'POST', headers: { cookie, ...headers }, body })
  for (const from of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: `${server.url}.evil.example` },
  ] as Record<string, string>[])
    expect([from, (await ask({ ...json, ...from })).status]).toEqual([from, 403])
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    expect([type, (await ask({ 'content-type': type })).status]).toEqual([type, 415])
  expect(
    (await ask({ ...json, origin: server.url, 'sec-fetch-site': 'same-origin' }, '{"name":"Wanted"}')).status,
  ).toBe(201)
  expect((await ada.json<{ data: { name: string }[] }>(api.projects())).data.map(({ name }) => name)).not.toContain(
    'Forged',
  )
})

describe('characters that the database cannot store', () => {
  const NUL = 'a\0b'
  const HALF = 'a\uD800b'

  it.each([
    ['POST', () => api.projects(), ['name', 'description', 'research_question']],
    ['PATCH', () => api.project(project), ['name', 'description', 'research_question']],
    ['PATCH', () => api.profile(ada.userId), ['full_name', 'display_name', 'bio']],
    [
      'PATCH',
      () => api.document(document.id),
      [
        'title',
        'doi_link',
        'journal_name',
        'summary',
        'lifestyle_recommendations',
        'evidence_level',
        'social_post',
        'analysis_model',
      ],
    ],
    ['POST', () => api.documentChat(document.id), ['question']],
    ['POST', () => functionPath('generate-query-embedding'), ['query']],
    ['POST', () => functionPath('ocr-pdf'), ['document_url']],
  ] as const)('Invalid characters are refused by %s %s', async (method, path, fields) => {
    for (const field of fields)
      for (const bad of [NUL, HALF]) {
        const { status, text } = await send(ada, method, path(), { name: `n${Math.random()}`, [field]: bad })
        expect([field, status, text]).toEqual([
          field,
          422,
          expect.stringContaining(`${field}: This text contains a character that cannot be stored.`),
        ])
      }
  })

  it('Invalid characters are refused in lists and in searches', async () => {
    expect((await send(ada, 'POST', api.projects(), { name: 'Tags', tags: ['fine', NUL] })).status).toBe(422)
    for (const body of [{ keywords: [NUL] }, { insights: [HALF] }, { insights: JSON.stringify([NUL]) }])
      expect((await send(ada, 'PATCH', api.document(document.id), body)).status).toBe(422)
    for (const path of [
      '/api/documents?search=%00',
      '/api/documents?keyword=%00',
      '/api/documents?evidence_level=a%00',
      '/api/projects?name=%00',
      '/api/journals?search=%00',
    ])
      expect([path, (await send(ada, 'GET', path)).status]).toEqual([path, 400])
    expect((await send(ada, 'GET', '/api/profiles/%00')).status).toBe(404)
  })

  it('Invalid characters in a PDF are removed, and the rest is stored', async () => {
    const { id } = await newDocument()
    const body = {
      extracted_text: `[Page 1]\n${NUL} ${HALF} naps`,
      metadata: { title: NUL },
      first_page: { width: 1, height: 1, lines: [{ text: HALF, size: 1, x: 0, y: 0 }] },
    }
    const { data } = await ada.json<{ data: DocumentDetail }>(api.documentText(id), { method: 'PUT', body })
    expect(data.extracted_text).toBe('[Page 1]\nab a\uFFFDb naps')
    const chunks = [{ content: `Naps ${NUL} ${HALF} helped.`, pageNumber: 1, pageOffset: 0 }]
    expect((await send(ada, 'POST', functionPath('generate-embeddings'), { chunks, document_id: id })).status).toBe(200)
  })
})

describe('unusual requests', () => {
  it.each([
    ['the year 0', { publication_date: '0000-01-01' }, 422],
    ['the last year', { publication_date: '9999-12-31' }, 200],
    ['an unknown journal', { journal_id: '00000000-0000-4000-8000-000000000000' }, 422],
    ['a prototype', '{"__proto__":{"is_admin":true},"constructor":{"prototype":{"x":1}}}', 200],
    ['deep insights', `{"insights":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 422],
    ['a deep array', '['.repeat(500_000) + ']'.repeat(500_000), 422],
    ['three megabytes', `{"title":"${'a'.repeat(3_000_000)}"}`, 413],
    ['half an object', '{', 400],
    ['null', 'null', 422],
  ])('An unusual change is answered: %s with %i', async (_what, body, status) => {
    expect((await send(ada, 'PATCH', api.document(document.id), body)).status).toBe(status)
  })

  it.each([
    ['page=1000000000', 200],
    ['page=9007199254740991', 200],
    ['page=99999999999999999999', 400],
    ['page=-1', 400],
    ['limit=1e9', 400],
    ['order_by=created_at%3Bdrop%20table%20documents', 400],
    ['order_by=constructor', 400],
    ['order_by=title.asc%20nulls%20first', 400],
    [`search=${'%25_%5C'.repeat(100)}`, 200],
    [`search=${'a'.repeat(501)}`, 400],
    ["search='%20or%20'1'%3D'1", 200],
    ['keyword=%7B%22)%3B--', 200],
    ['project_id=1%20or%201%3D1', 400],
    ['search=%zz&keyword=%', 200],
  ])('An unusual list request is answered: %s with %i', async (query, status) => {
    const { status: got, text } = await send(ada, 'GET', `/api/documents?${query}`)
    expect(got).toBe(status)
    if (got === 200) expect((JSON.parse(text) as { data: unknown[] }).data).toEqual([])
  })
})

describe('requests that no browser sends', () => {
  const raw = (lines: string) =>
    new Promise<string>((done) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let got = ''
      socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')))
      socket.on('close', () => done(got))
      socket.on('error', () => undefined)
      socket.write(lines)
    })
  const ask = (client: Client, path: string) =>
    raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.token}\r\nConnection: close\r\n\r\n`)

  it.each([
    '/api/./admin/people',
    '/api/x/../admin/people',
    '/api/%61dmin/people',
    '/%61pi/admin/people',
    '/api/admin/%70eople',
    '/api/%2561dmin/people',
    '/api/admin%2fpeople',
    '/api/admin/people/',
    '/api/admin/people%00',
    '//api/admin/people',
    '/API/admin/people',
    '/api;x/admin/people',
    'http://other.example/api/admin/people',
  ])('The address %s does not bypass the access rules', async (path) => {
    expect(await ask(eve, path)).not.toContain(ada.email)
    expect((await ask(ada, '/api/admin/people')).split('\r\n')[0]).toBe('HTTP/1.1 200 OK')
  })

  it('A body that is not HTTP, or that breaks off, is refused without a server error', async () => {
    const head = `POST ${api.projects()} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\n`
    for (const body of [
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n',
    ])
      expect(await raw(head + body)).toMatch(/^HTTP\/1\.1 400 /)
    expect((await ada.fetch(api.projects())).status).toBe(200)
  })
})

describe('uploads', () => {
  const B = 'boundary'
  const part = (name: string, value: string | Uint8Array, filename?: string) =>
    Buffer.concat([
      Buffer.from(
        `--${B}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      Buffer.from(value as Uint8Array),
      Buffer.from('\r\n'),
    ])
  const end = Buffer.from(`--${B}--\r\n`)
  const inProject = () => part('project_id', project)
  const whole = (name = 'a.pdf') => part('file', paper, name)

  async function upload(
    parts: Buffer[],
    type = `multipart/form-data; boundary=${B}`,
  ): Promise<{ status: number; data: DocumentRow | undefined }> {
    const response = await ada.fetch(api.documents(), {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(Buffer.concat(parts)),
    })
    return { status: response.status, data: ((await response.json()) as { data?: DocumentRow }).data }
  }

  it.each<[string, () => Buffer[], number]>([
    ['two files', () => [inProject(), whole(), whole('b.pdf'), end], 422],
    [
      '10,000 fields',
      () => [inProject(), ...Array.from({ length: 10_000 }, (_, n) => part(`f${n}`, 'x')), whole(), end],
      400,
    ],
    [
      '10,000 fields after the file',
      () => [inProject(), whole(), ...Array.from({ length: 10_000 }, (_, n) => part(`f${n}`, 'x')), end],
      400,
    ],
    ['no end', () => [inProject(), whole()], 400],
    ['nothing', () => [], 400],
    ['a part without a body', () => [inProject(), Buffer.from(`--${B}\r\nX: y\r\n\r\n`), whole(), end], 400],
    [
      'a huge header',
      () => [inProject(), Buffer.from(`--${B}\r\nX: ${'y'.repeat(200_000)}\r\n\r\nz\r\n`), whole(), end],
      201,
    ],
    ['a project that is no id', () => [part('project_id', 'nope'), whole(), end], 404],
    ['a huge project', () => [part('project_id', 'x'.repeat(100_000)), whole(), end], 404],
    ['the file as a field', () => [inProject(), part('file', '%PDF-1.7'), end], 422],
    ['a program under its own name', () => [inProject(), whole('setup.exe'), end], 415],
    ['a program under a turned name', () => [inProject(), whole('paper\u202Efdp.exe'), end], 415],
    ['too much', () => [inProject(), part('file', Buffer.concat([paper, Buffer.alloc(1_100_000)]), 'a.pdf'), end], 413],
  ])('An upload is handled with %s', async (_what, parts, status) => {
    const before = (await ada.json<{ count: number }>(api.documents())).count
    expect((await upload(parts())).status).toBe(status)
    expect((await ada.json<{ count: number }>(api.documents())).count).toBe(before + (status === 201 ? 1 : 0))
    expect(await readdir(join(server.dataDir, 'uploads'))).toEqual([])
  })

  it.each([
    ['multipart/form-data', 415],
    ['multipart/form-data; boundary=', 400],
    ['multipart/form-data; boundary=other', 400],
    [`multipart/form-data; boundary=${'x'.repeat(5000)}`, 400],
    ['application/pdf', 415],
  ])('An upload is handled with the type %s (ERR-16)', async (type, status) => {
    expect((await upload([inProject(), whole(), end], type)).status).toBe(status)
  })

  it('An upload accepts the project after the file, or none', async () => {
    expect((await upload([whole(), inProject(), end])).data).toMatchObject({ project_id: project })
    expect((await upload([whole(), end])).data).toMatchObject({ project_id: null })
  })

  it.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['C:\\\\papers\\\\naps.pdf', 'naps.pdf'],
    ['a\0b.pdf', 'ab.pdf'],
    ['a\tb\u0007\u202E.pdf', 'ab.pdf'],
    ['', 'document.pdf'],
    ['..', 'document.pdf'],
    [`${'ü'.repeat(5000)}.pdf`, `${'ü'.repeat(192)}üüüü.pdf`],
  ])('An upload stores a file with the name %j as its own file', async (name, shown) => {
    const { status, data } = await upload([inProject(), whole(name), end])
    expect([status, data?.filename]).toEqual([201, shown])
    expect(data!.source_url).toMatch(new RegExp(`^documents/${ada.userId}/${data!.id}/\\d{13}_[\\w.-]{1,210}$`))
    const file = await ada.fetch(api.documentFile(data!.id))
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(paper)
    expect(file.headers.get('content-disposition')).toMatch(/^inline; filename="[\w.-]+"; filename\*=UTF-8''[\w.%-]+$/)
  })

  it('A HEAD request is answered like GET, and leaves no file open', async () => {
    const { data } = await upload([inProject(), whole(), end])
    const headers = async (method: string) => {
      const { status, headers: told } = await ada.fetch(api.documentFile(data!.id), { method })
      return [status, told.get('content-length'), told.get('content-type'), told.get('accept-ranges')]
    }
    expect(await headers('HEAD')).toEqual(await headers('GET'))
  })

  it('Two simultaneous uploads with the same name are stored as separate files', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => upload([inProject(), whole('same.pdf'), end])))
    expect(new Set(made.map(({ data }) => data!.source_url)).size).toBe(4)
    await ada.json(api.document(made[0]!.data!.id), { method: 'DELETE' })
    for (const { data } of made.slice(1)) expect((await ada.fetch(api.documentFile(data!.id))).status).toBe(200)
  })

  it('An upload that breaks off or stalls leaves nothing, and other requests are answered meanwhile', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(
      `POST ${api.documents()} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: multipart/form-data; boundary=${B}\r\nContent-Length: 500000\r\n\r\n`,
    )
    socket.write(inProject())
    socket.write(whole().subarray(0, 4000))
    const uploads = () => readdir(join(server.dataDir, 'uploads'))
    await expect.poll(uploads).toHaveLength(1)
    expect((await ada.fetch(api.projects())).status).toBe(200)
    socket.destroy()
    await expect.poll(uploads).toEqual([])
  })
})

describe('everything at once', () => {
  const start = (id: string, what: string, body: unknown = {}) =>
    send(ada, 'POST', `/api/documents/${id}/${what}`, body)

  it('Parallel deletions delete a document once', async () => {
    const { id } = await newDocument()
    const statuses = await Promise.all([1, 2, 3].map(async () => (await send(ada, 'DELETE', api.document(id))).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })

  it('Parallel extraction requests run one extraction of a document (EXTR-12)', async () => {
    const { id } = await newDocument()
    const answers = await Promise.all([1, 2, 3].map(() => start(id, 'extract', { method: 'text' })))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    const ids = new Set(answers.map(({ text }) => (JSON.parse(text) as { data: Job }).data.id))
    expect(ids.size).toBe(1)
    expect((await ada.job([...ids][0]!)).status).toBe('completed')
  })

  it.each([
    ['extract', { method: 'text' }],
    ['extract', { method: 'ocr' }],
    ['analyze', {}],
    ['vectorize', {}],
  ])('The deletion of a document during %s %j ends its job (ANAL-11)', async (what, body) => {
    const { id } = await newDocument()
    expect((await start(id, what, body)).status).toBe(202)
    expect((await send(ada, 'DELETE', api.document(id))).status).toBe(200)
    await expect
      .poll(async () => (await ada.json<{ data: Job[] }>(api.jobs({ active: 'true' }))).data, { timeout: 60_000 })
      .toEqual([])
    expect((await send(ada, 'GET', api.document(id))).status).toBe(404)
    const next = await newDocument()
    expect((await start(next.id, 'vectorize')).status).toBe(202)
  })

  it('Parallel edits and texts are saved one after the other', async () => {
    const { id } = await newDocument()
    const edits = Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0
        ? send(ada, 'PATCH', api.document(id), { summary: `Naps helped older adults. Edit ${n}.`, keywords: [`k${n}`] })
        : send(ada, 'PUT', api.documentText(id), { extracted_text: `${TEXT} Version ${n}.` }),
    )
    for (const { status } of await Promise.all(edits)) expect([200, 409]).toContain(status)
    const { data } = await ada.json<{ data: DocumentDetail }>(api.document(id))
    const [page] = splitPages(data.extracted_text!)
    const found = data.passages.filter((one) => one.match !== 'none')
    expect(found.length).toBeGreaterThan(0)
    for (const { start, end } of found) expect(page!.text.slice(start!, end!)).toBe('Naps helped older adults')
  })

  it('Parallel projects leave one default project, and one project of a name (PROJ-11)', async () => {
    const made = await Promise.all(['A', 'B', 'C', 'D'].map((name) => send(eve, 'POST', api.projects(), { name })))
    const ids = made.map(({ text }) => (JSON.parse(text) as { data: { id: string } }).data.id)
    await Promise.all(ids.map((id) => send(eve, 'PATCH', api.project(id), { is_default: true })))
    expect(
      (await eve.json<{ data: { is_default: boolean }[] }>(api.projects())).data.filter((one) => one.is_default),
    ).toHaveLength(1)
    const same = await Promise.all([1, 2, 3].map(() => send(eve, 'POST', api.projects(), { name: 'Same' })))
    expect(same.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
  })
})

it.each<[string, () => string]>([
  ['millions of small parts', () => `{"query_embedding":[${'[],'.repeat(6_000_000)}1]}`],
  ['nesting a million deep', () => `{"query_embedding":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
])('A body of %s does not delay the server', async (_what, body) => {
  for (const path of [functionPath('generate-embeddings'), api.documentText(document.id)]) {
    const method = path.startsWith('/api/') ? 'PUT' : 'POST'
    expect(await send(ada, method, path, body())).toMatchObject({
      status: 422,
      text: expect.stringContaining('too complex'),
    })
  }
  // The main thread parses small bodies.
  const small = `{"query_embedding":${'['.repeat(120_000)}${']'.repeat(120_000)}}`
  expect((await send(ada, 'POST', functionPath('similarity-search'), small)).status).toBe(422)
  // A route without a text field refuses large bodies.
  expect((await send(ada, 'POST', functionPath('similarity-search'), `{"a":"${'x'.repeat(3e6)}"}`)).status).toBe(413)
})

it('Passages that are one long word do not delay the server', async () => {
  // One such passage delayed all users for 15 seconds, and a call can contain two hundred passages.
  const chunks = ['a', 'ay', '1', 'ing'].flatMap((part) =>
    Array.from({ length: 25 }, (_, page) => ({ content: part.repeat(50_000 / part.length), page_number: page + 1 })),
  )
  const question = { query: `Does it ${'y'.repeat(4000)}?`, chunks }
  expect((await send(ada, 'POST', functionPath('generate-answer'), question)).status).toBe(200)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

it('The server never failed unexpectedly in these tests', async () => {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(server.output()).not.toMatch(/a request failed unexpectedly|[Uu]nhandled|the database refused a value/)
})
