import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { analysisResult } from '#shared/contract/analysis.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { api, functionPath } from '#shared/contract/paths.ts'

/** This file tests the routes under /functions/v1: the exact shapes and messages of the specification. */

const fixture = async (name: string) => new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url)))
const NOTE = onePagePdf(['Naps helped older adults.', 'Whales sing at night.'])
const TEXT = '[Page 1]\nNaps helped older adults fall asleep.\n\n[Page 2]\nBread was cheap that year in all towns.'
const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000'

let server: TestServer
let files: Server
let filesUrl: string
let ada: Client
let bob: Client
beforeAll(async () => {
  files = createServer((request, response) => {
    if (request.url === '/note.pdf') return response.writeHead(200, { 'content-type': 'application/pdf' }).end(NOTE)
    if (request.url === '/page.pdf')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in first</html>')
    if (request.url === '/inside') return response.writeHead(302, { location: 'http://127.0.0.1:1/secret.pdf' }).end()
    if (request.url === '/large.pdf') return response.writeHead(200).end(Buffer.alloc(3 * 1024 * 1024, '%PDF-1.4\n'))
    return response.writeHead(404).end()
  })
  await new Promise<void>((done) => files.listen(0, '127.0.0.1', done))
  const { port } = files.address() as AddressInfo
  filesUrl = `http://127.0.0.1:${port}`
  server = await startServer({ env: { GUARDED_FETCH_ALLOW: `127.0.0.1:${port}`, MAX_UPLOAD_MB: '2' } })
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  files.close()
})

type Answer = [status: number, body: unknown]

async function call(client: Client, name: string, body: unknown): Promise<Answer> {
  const response = await client.fetch(functionPath(name), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return [response.status, await response.json()]
}

async function sendFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const form = new FormData()
  form.append('file', new File([bytes], 'paper.pdf', { type: 'application/pdf' }))
  const response = await ada.fetch(functionPath(name), { method: 'POST', body: form })
  return [response.status, await response.json()]
}

async function newDocument(client: Client, text: string | null = TEXT): Promise<DocumentRow> {
  const form = new FormData()
  form.append('file', new File([NOTE], 'note.pdf', { type: 'application/pdf' }))
  const made = (
    (await (await client.fetch(api.documents(), { method: 'POST', body: form })).json()) as { data: DocumentRow }
  ).data
  if (text !== null) await client.json(api.documentText(made.id), { method: 'PUT', body: { extracted_text: text } })
  return made
}

const chunks = [
  { content: 'Naps helped older adults fall asleep.', pageNumber: 1, pageOffset: 0 },
  { content: 'Bread was cheap that year in all towns.', pageNumber: 2, pageOffset: 0 },
  { content: 'Four walkers had a minor fall.', pageNumber: 2, pageOffset: 40 },
  { content: 'The library closed at noon on Fridays.', pageNumber: 2, pageOffset: 80 },
]
const stored = { final_output: { success: true, error: null, alreadyVectorized: false } }
const embeddingOf = async (query: string) =>
  ((await call(ada, 'generate-query-embedding', { query }))[1] as { embedding: number[] }).embedding

describe('every function', () => {
  const names = [
    'analyze-pdf',
    'extract-pdf-text',
    'ocr-pdf',
    'generate-embeddings',
    'generate-query-embedding',
    'similarity-search',
    'generate-answer',
    'list-models',
    'rpc/update_profile',
    'rpc/manage_document_tags',
    'no-such-function',
  ]
  it.each(names)('%s refuses a caller without a session (FUNC-03)', async (name) => {
    for (const headers of [{}, { authorization: 'Bearer made.up' }, { cookie: 'lectern.session_token=made.up' }]) {
      const response = await fetch(server.url + functionPath(name), {
        method: name === 'list-models' ? 'GET' : 'POST',
        headers: headers as Record<string, string>,
      })
      expect([response.status, await response.json()]).toEqual([401, { error: 'No active session' }])
    }
  })

  it('A function accepts the session cookie and the bearer token (FUNC-02)', async () => {
    const signedIn = await fetch(server.url + api.signIn(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const byCookie = await fetch(server.url + functionPath('list-models'), { headers: { cookie } })
    expect(byCookie.status).toBe(200)
    expect(await byCookie.json()).toEqual(await ada.json(functionPath('list-models')))
  })

  it.each([
    'analyze-pdf',
    'ocr-pdf',
    'generate-embeddings',
    'generate-query-embedding',
    'similarity-search',
    'generate-answer',
  ])('%s reports an invalid body (FUNC-04)', async (name) => {
    expect(await call(ada, name, '{')).toEqual([400, { error: 'The request is not valid JSON.' }])
    expect(await call(ada, name, 'null')).toEqual([
      422,
      { error: 'body: Invalid input: expected object, received null' },
    ])
  })

  it('An unknown function is not found', async () => {
    expect(await call(ada, 'no-such-function', {})).toEqual([404, { error: 'No such function' }])
  })

  it('A function refuses a large body before it reads it (FUNC-06)', async () => {
    const response = await ada.fetch(functionPath('analyze-pdf'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'a'.repeat(61 * 1024 * 1024) }),
    })
    expect(response.status).toBe(413)
    expect(((await response.json()) as { error: string }).error).toMatch(/^Request too large/)
  })

  it("A function answers 'Unknown error' for an unexpected error, and writes the reason to the log (ERR-01, ERR-04)", async () => {
    const inTheWay = join(server.dataDir, 'uploads')
    await rm(inTheWay, { recursive: true, force: true })
    await writeFile(inTheWay, '')
    expect(await sendFile('extract-pdf-text', NOTE)).toEqual([500, { error: 'Unknown error' }])
    await rm(inTheWay)
    // The response can arrive before the line of the log.
    await expect.poll(() => server.output()).toContain('EEXIST')
  })
})

describe('analyze-pdf', () => {
  it('The call analyze-pdf answers the analysis of a text in the specified shape and stores nothing (FUNC-01, FUNC-05)', async () => {
    const before = await ada.json<{ count: number }>(api.documents())
    const [status, body] = await call(ada, 'analyze-pdf', {
      text: await readFile(new URL('../fixtures/paper.txt', import.meta.url), 'utf8'),
      system_prompt: 'Summarise.',
      model: 'built-in',
    })
    expect(status).toBe(200)
    expect(Object.keys(body as object)).toEqual(['data'])
    const { data } = body as { data: Record<string, unknown> }
    expect(analysisResult.strict().parse(data)).toMatchObject({
      doi: expect.stringContaining('10.5555/jeht.2025.0147'),
    })
    expect(data['summary']).not.toBe('')
    expect(data['insights']).not.toEqual([])
    expect((await ada.json<{ count: number }>(api.documents())).count).toBe(before.count)
  })

  it('The call analyze-pdf accepts a text with characters that PDFs contain and databases refuse', async () => {
    expect(
      (await call(ada, 'analyze-pdf', { text: 'Naps\0 helped \uD800 adults.', system_prompt: '', model: null }))[0],
    ).toBe(200)
  })

  it.each([[{}], [{ text: '  ' }], [{ text: '[Page 1]\n\n[Page 2]\n' }]])(
    'The call analyze-pdf refuses %j, which has no words',
    async (body) => {
      expect(await call(ada, 'analyze-pdf', body)).toEqual([422, { error: 'No text available to analyze' }])
    },
  )

  it('The call analyze-pdf refuses the name of a model with more than 200 characters', async () => {
    const [status, body] = await call(ada, 'analyze-pdf', { text: 'Naps helped.', model: 'm'.repeat(201) })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('model')])
  })

  it('The call analyze-pdf refuses a model of a provider when there is no provider', async () => {
    const [status, body] = await call(ada, 'analyze-pdf', {
      text: 'Naps helped.',
      system_prompt: '',
      model: 'gpt-nothing',
    })
    expect(status).toBe(501)
    expect((body as { error: string }).error).toContain('needs an AI provider')
  })
})

describe('extract-pdf-text', () => {
  it('The call extract-pdf-text answers the text of a file with a marker before every page (EXTR-09, FUNC-01, FUNC-07)', async () => {
    const [status, body] = await sendFile('extract-pdf-text', await fixture('paper.pdf'))
    expect([status, Object.keys(body as object)]).toEqual([200, ['text']])
    const pages = splitPages((body as { text: string }).text)
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4])
    for (const { text } of pages) expect(text.length).toBeGreaterThan(100)
  })

  it.each([
    ['a scan', 'paper-scan.pdf', 422, 'Failed to extract text'],
    ['a page named .pdf', 'html-named.pdf', 415, 'This file is not a PDF. Only PDF files are accepted.'],
    ['a protected file', 'paper-password.pdf', 422, 'This PDF is protected by a password.'],
    ['a damaged file', 'truncated.pdf', 422, 'This file is damaged and cannot be read as a PDF.'],
  ])('The call extract-pdf-text refuses %s (ERR-06)', async (_what, name, status, error) => {
    expect(await sendFile('extract-pdf-text', await fixture(name))).toEqual([status, { error }])
  })

  it('The call extract-pdf-text refuses a request without a file, and a body that is not a form', async () => {
    const form = new FormData()
    form.append('note', 'x')
    const none = await ada.fetch(functionPath('extract-pdf-text'), { method: 'POST', body: form })
    expect([none.status, await none.json()]).toEqual([422, { error: 'Please select one or more files to upload' }])
    expect((await call(ada, 'extract-pdf-text', {}))[0]).toBe(415)
  })
})

describe('ocr-pdf', () => {
  const read = {
    data: { text: expect.stringMatching(/^\[Page 1\]\nNaps helped older adults\.\s+Whales sing at night\.\s*$/) },
    error: null,
    status: 200,
  }
  const outside = [
    'http://127.0.0.1:1/x.pdf',
    'http://localhost/x.pdf',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/x.pdf',
    'http://10.0.0.1/x.pdf',
    'http://2130706433/x.pdf',
  ]

  it('The call ocr-pdf reads a document of the caller by its id, its storage path and its address (STOR-12, FUNC-08)', async () => {
    const { id, source_url } = await newDocument(ada, null)
    for (const document_url of [id, source_url!, server.url + api.documentFile(id), api.documentFile(id)])
      expect([document_url, ...(await call(ada, 'ocr-pdf', { document_url }))]).toEqual([document_url, 200, read])
  })

  it('The call ocr-pdf reads a public address through the guarded fetch (FUNC-08, FUNC-13)', async () => {
    expect(await call(ada, 'ocr-pdf', { document_url: `${filesUrl}/note.pdf` })).toEqual([200, read])
  })

  it.each(outside)('The call ocr-pdf refuses the private address %s (FUNC-13)', async (document_url) => {
    expect(await call(ada, 'ocr-pdf', { document_url })).toEqual([
      422,
      { error: 'This address is not public and cannot be read.' },
    ])
  })

  it('The call ocr-pdf refuses a private redirect, a large file, a file that is not a PDF, and a missing file (MSG-109)', async () => {
    expect((await call(ada, 'ocr-pdf', { document_url: `${filesUrl}/inside` }))[0]).toBe(422)
    expect((await call(ada, 'ocr-pdf', { document_url: `${filesUrl}/large.pdf` }))[0]).toBe(413)
    expect((await call(ada, 'ocr-pdf', { document_url: `${filesUrl}/page.pdf` }))[0]).toBe(422)
    expect(await call(ada, 'ocr-pdf', { document_url: `${filesUrl}/none.pdf` })).toEqual([
      502,
      { error: 'Failed to fetch PDF: 404' },
    ])
  })

  it('The call ocr-pdf does not find a document of another user by any name', async () => {
    const { id, source_url } = await newDocument(bob, null)
    for (const document_url of [
      id,
      source_url!,
      server.url + api.documentFile(id),
      `documents/${ada.userId}/../${bob.userId}/${source_url!.split('/').slice(2).join('/')}`,
    ])
      expect([document_url, ...(await call(ada, 'ocr-pdf', { document_url }))]).toEqual([
        document_url,
        404,
        { error: 'Document not found' },
      ])
  })

  it.each([
    [{}, 422, 'Document source URL not found'],
    [{ document_url: ' ' }, 422, 'Document source URL not found'],
    [{ document_url: NO_SUCH_ID }, 404, 'Document not found'],
    [{ document_url: 'documents/unknown/x.pdf' }, 404, 'Document not found'],
    [{ document_url: `documents/${'x'.repeat(3000)}.pdf` }, 404, 'Document not found'],
    [{ document_url: 'file:///etc/passwd' }, 422, 'Only http and https addresses can be read.'],
    [
      { document_url: 'https://user:word@example.org/x.pdf' },
      422,
      'The address must not contain a user name or a password.',
    ],
  ])('The call ocr-pdf answers %j with %i (FUNC-22, MSG-108, ERR-09)', async (body, status, error) => {
    expect(await call(ada, 'ocr-pdf', body)).toEqual([status, { error }])
  })
})

describe('generate-embeddings', () => {
  it('The call generate-embeddings stores chunks, reports existing ones, and replaces them when forced (FUNC-09)', async () => {
    const { id } = await newDocument(ada)
    expect(await call(ada, 'generate-embeddings', { chunks, document_id: id })).toEqual([200, stored])
    expect(await call(ada, 'generate-embeddings', { chunks, document_id: id })).toEqual([
      200,
      { final_output: { success: true, error: null, alreadyVectorized: true } },
    ])
    expect(await call(ada, 'generate-embeddings', { chunks, document_id: id, force: true })).toEqual([200, stored])
  })

  it.each([
    [{ chunks }, 422, 'Document ID is required'],
    [{ chunks, document_id: ' ' }, 422, 'Document ID is required'],
    [{ chunks, document_id: 'nonsense' }, 404, 'Document not found'],
    [{ chunks, document_id: NO_SUCH_ID }, 404, 'Document not found'],
    [{ chunks: [], document_id: NO_SUCH_ID }, 422, 'No valid text chunks were generated'],
    [{ document_id: NO_SUCH_ID }, 422, 'No valid text chunks were generated'],
    [
      { chunks: [{ content: ' ', pageNumber: 1, pageOffset: 0 }], document_id: NO_SUCH_ID },
      422,
      'No valid text chunks were generated',
    ],
  ])('The call generate-embeddings answers %j with %i', async (body, status, error) => {
    expect(await call(ada, 'generate-embeddings', body)).toEqual([status, { error }])
  })

  it('The call generate-embeddings refuses page numbers beyond the range of the column', async () => {
    const { id } = await newDocument(ada)
    expect(
      (await call(ada, 'generate-embeddings', { chunks: [{ ...chunks[0], pageNumber: 1e12 }], document_id: id }))[0],
    ).toBe(422)
    expect(
      (await call(ada, 'generate-embeddings', { chunks: [{ ...chunks[0], pageOffset: 1e14 }], document_id: id }))[0],
    ).toBe(422)
  })

  it('The call generate-embeddings does not find a document of another user', async () => {
    const { id } = await newDocument(bob)
    expect(await call(ada, 'generate-embeddings', { chunks, document_id: id, force: true })).toEqual([
      404,
      { error: 'Document not found' },
    ])
    expect((await bob.json<{ data: DocumentRow }>(api.document(id))).data.vectorized_at).toBeNull()
  })
})

describe('generate-query-embedding', () => {
  it('The call generate-query-embedding answers one vector of finite numbers, the same for the same query (FUNC-19)', async () => {
    const [status, body] = await call(ada, 'generate-query-embedding', { query: 'Did naps help?' })
    expect([status, Object.keys(body as object)]).toEqual([200, ['embedding']])
    const { embedding } = body as { embedding: number[] }
    expect(embedding.length).toBeGreaterThan(100)
    expect(embedding.every(Number.isFinite)).toBe(true)
    expect(await embeddingOf('  Did naps help? ')).toEqual(embedding)
  })

  it.each([[{}], [{ query: '' }], [{ query: ' \n' }]])(
    'The call generate-query-embedding refuses %j (FUNC-21)',
    async (body) => {
      expect(await call(ada, 'generate-query-embedding', body)).toEqual([422, { error: 'Query cannot be empty' }])
    },
  )
})

describe('similarity-search', () => {
  it('The call similarity-search answers the three nearest chunks, or the requested number, most similar first (FUNC-20, CONST-32)', async () => {
    const { id } = await newDocument(ada)
    await call(ada, 'generate-embeddings', { chunks, document_id: id })
    const query_embedding = await embeddingOf('How expensive was bread?')
    const [status, body] = await call(ada, 'similarity-search', { query_embedding, document_id: id })
    expect([status, Object.keys(body as object)]).toEqual([200, ['chunks']])
    const found = (body as { chunks: { content: string; similarity: number }[] }).chunks
    expect(found).toHaveLength(3)
    expect(found[0]).toEqual({
      content: chunks[1]!.content,
      page_number: 2,
      page_offset: 0,
      similarity: expect.any(Number),
    })
    expect(found.map(({ similarity }) => similarity)).toEqual(
      found.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
    )
    for (const limit of [1, 4])
      expect(
        (
          (await call(ada, 'similarity-search', { query_embedding, document_id: id, limit }))[1] as {
            chunks: unknown[]
          }
        ).chunks,
      ).toHaveLength(limit)
    for (const limit of [0, 101, 1.5])
      expect((await call(ada, 'similarity-search', { query_embedding, document_id: id, limit }))[0]).toBe(422)
  })

  it.each([
    [{}, 422, 'Query cannot be empty'],
    [{ query_embedding: [1, 0] }, 422, 'Document ID is required'],
    [{ query_embedding: [1, 0], document_id: NO_SUCH_ID }, 404, 'Document not found'],
  ])('The call similarity-search answers %j with %i', async (body, status, error) => {
    expect(await call(ada, 'similarity-search', body)).toEqual([status, { error }])
  })

  it('The call similarity-search does not search a document of another user', async () => {
    const { id } = await newDocument(bob)
    await call(bob, 'generate-embeddings', { chunks, document_id: id })
    const query_embedding = await embeddingOf('bread')
    expect((await call(bob, 'similarity-search', { query_embedding, document_id: id }))[0]).toBe(200)
    expect(await call(ada, 'similarity-search', { query_embedding, document_id: id })).toEqual([
      404,
      { error: 'Document not found' },
    ])
  })
})

describe('generate-answer', () => {
  const passages = [
    { content: 'Naps helped older adults fall asleep.', page_number: 1, page_offset: 0, similarity: 0.9 },
    { content: 'Bread was cheap that year in all towns.', page_number: 2, similarity: 0.2 },
  ]

  it('The call generate-answer answers from the chunks in the request, and names them as sources (FUNC-23)', async () => {
    const [status, body] = await call(ada, 'generate-answer', {
      query: 'Did naps help older adults?',
      chunks: passages,
    })
    expect([status, Object.keys(body as object).toSorted()]).toEqual([200, ['answer', 'sources']])
    const { answer, sources } = body as { answer: string; sources: unknown }
    expect(answer).toContain('Naps helped older adults fall asleep')
    expect(sources).toEqual(
      passages.map(({ content, page_number, similarity }) => ({ content, page_number, similarity })),
    )
  })

  it('The call generate-answer lists the most similar sources first', async () => {
    const chunks = passages.toReversed()
    const [status, body] = await call(ada, 'generate-answer', { query: 'Did naps help older adults?', chunks })
    expect([
      status,
      (body as { sources: { similarity: number }[] }).sources.map(({ similarity }) => similarity),
    ]).toEqual([200, [0.9, 0.2]])
  })

  it.each([
    [{ chunks: passages }, 'Query cannot be empty'],
    [{ query: '  ', chunks: passages }, 'Query cannot be empty'],
    [{ query: 'What?' }, 'No chunks provided for answer generation'],
    [{ query: 'What?', chunks: [] }, 'No chunks provided for answer generation'],
  ])('The call generate-answer answers %j with 422 (FUNC-24, FUNC-25)', async (body, error) => {
    expect(await call(ada, 'generate-answer', body)).toEqual([422, { error }])
  })
})

it.each([
  ['analyze-pdf', { text: null, system_prompt: null, model: null }, 'No text available to analyze'],
  ['ocr-pdf', { document_url: null }, 'Document source URL not found'],
  ['generate-embeddings', { chunks: null, document_id: null, force: null }, 'Document ID is required'],
  ['generate-embeddings', { chunks: null, document_id: NO_SUCH_ID }, 'No valid text chunks were generated'],
  ['generate-query-embedding', { query: null }, 'Query cannot be empty'],
  ['similarity-search', { query_embedding: null, document_id: NO_SUCH_ID }, 'Query cannot be empty'],
  ['similarity-search', { query_embedding: [1], document_id: null, limit: null }, 'Document ID is required'],
  ['generate-answer', { query: null, chunks: null }, 'Query cannot be empty'],
  ['generate-answer', { query: 'What?', chunks: null }, 'No chunks provided for answer generation'],
  ['proxy-rss', { url: null }, 'Failed to fetch RSS feed. Please check the URL and try again.'],
  // A project without a question has null in this field, and programs send it unchanged.
  ['research-agent', { research_question: null, project_id: NO_SUCH_ID }, 'No research question found'],
  ['rpc/manage_document_tags', { doc_id: null, tag_names: null }, 'Document ID is required'],
])('%s accepts null for a missing value: %j', async (name, body, error) => {
  expect(await call(ada, name, body)).toEqual([422, { error }])
})

it('The call list-models always lists the built-in model (API-47, FUNC-28)', async () => {
  expect(await ada.json(functionPath('list-models'))).toMatchObject({
    data: [{ id: 'built-in', name: 'Built-in (offline, extractive)' }],
  })
})

it('A vectorize call on the address of a document reports that there is no text', async () => {
  const { id } = await newDocument(ada, null)
  await expect(ada.json(api.documentVectorize(id), { body: {} })).rejects.toThrow('No text available to vectorize')
})

describe('the calls by the names of database functions', () => {
  it('The call update_profile changes only the profile of the caller (FUNC-29, PROF-07)', async () => {
    const values = { full_name_val: ' Ada Lovelace ', bio_val: null, theme_val: 'dark' }
    expect(await call(ada, 'rpc/update_profile', { user_id: ada.userId, ...values })).toMatchObject([
      200,
      { data: { id: ada.userId, full_name: 'Ada Lovelace', bio: null, theme: 'dark', font_size: 'medium' } },
    ])
    for (const nobody of [{}, { user_id: null }, { user_id: '' }])
      expect(await call(ada, 'rpc/update_profile', { ...nobody, ...values })).toEqual([422, { error: 'No user ID' }])
    expect(await call(ada, 'rpc/update_profile', { user_id: bob.userId, full_name_val: 'Eve' })).toEqual([
      404,
      { error: 'Profile not found' },
    ])
    expect((await call(ada, 'rpc/update_profile', { user_id: ada.userId, theme_val: 'pink' }))[0]).toBe(422)
  })

  it('The call manage_document_tags gives a document its keywords, which are its tags (FUNC-30)', async () => {
    const { id } = await newDocument(ada)
    const tag_names = ['naps', 'Sleep']
    expect(
      await call(ada, 'rpc/manage_document_tags', { doc_id: id, tag_names: ['naps', ' Sleep ', ' ', 'naps'] }),
    ).toEqual([200, { data: { id, keywords: tag_names } }])
    // A call without tags leaves the tags unchanged.
    expect((await call(ada, 'rpc/manage_document_tags', { doc_id: id }))[0]).toBe(422)
    expect((await ada.json<{ data: DocumentRow }>(api.document(id))).data.keywords).toEqual(tag_names)
    const names = (await ada.json<{ data: { name: string }[] }>(api.tags())).data.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(tag_names))
    expect(await call(ada, 'rpc/manage_document_tags', { tag_names })).toEqual([
      422,
      { error: 'Document ID is required' },
    ])
    expect(await call(bob, 'rpc/manage_document_tags', { doc_id: id, tag_names: [] })).toEqual([
      404,
      { error: 'Document not found' },
    ])
  })
})
