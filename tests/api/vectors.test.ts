import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { joinPages, splitPages } from '#shared/pdf-text/page-text.ts'
import { api, functionPath } from '#shared/contract/paths.ts'

const PAGES = [
  'Evening walks and sleep\n' +
    'Walking in the evening improved the sleep of older adults. The gain was largest in those who came three times a week. '.repeat(
      6,
    ),
  'Nine community centres took part in the trial. Four walkers had a minor fall during a walk; none needed treatment beyond a plaster.\n' +
    'References\n' +
    '[1] B. Adams and D. Cole. 2019. Walking and sleep. J. Motion 12, 3 (2019), 44–59. [2] F. Egan. 2003. Rest in bed. Nursing 4 (2003), 1–9. ' +
    '[3] G. Hart. 2011. Steps a day. In: Proceedings of Gait, pp. 3–14.',
]
const TEXT = joinPages(PAGES)

const server = sharedServer()
let ada: Client
let bob: Client
let project: string
beforeAll(async () => {
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Vectors' } })).data.id
})

interface Chunk {
  content: string
  page_number: number
  page_offset: number
  similarity: number
}

async function newDocument(text: string | null): Promise<string> {
  const pdf = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  const { id } = await ada.upload(project, new File([pdf], 'paper.pdf', { type: 'application/pdf' }))
  if (text !== null) await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  return id
}

const post = (client: Client, path: string, body: unknown) =>
  client.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

async function refusal(client: Client, path: string, body: unknown): Promise<[number, string, string]> {
  const response = await post(client, path, body)
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return [response.status, error.code, error.message]
}

async function vectorize(id: string, body: unknown = {}): Promise<Job> {
  const response = await post(ada, api.documentVectorize(id), body)
  expect(response.status).toBe(202)
  return ada.job(((await response.json()) as { data: Job }).data.id)
}

const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

async function similar(client: Client, id: string, query: string, limit?: number): Promise<Chunk[]> {
  const { embedding } = await client.json<{ embedding: number[] }>(functionPath('generate-query-embedding'), {
    body: { query },
  })
  return (
    await client.json<{ chunks: Chunk[] }>(functionPath('similarity-search'), {
      body: { query_embedding: embedding, document_id: id, ...(limit ? { limit } : {}) },
    })
  ).chunks
}

describe('POST /api/documents/{id}/vectorize', () => {
  it('A document is vectorized once, a second call is refused, and a forced one repeats it (VEC-05, VEC-06, VEC-07, VEC-08, API-08, API-47)', async () => {
    const id = await newDocument(TEXT)
    const before = await read(id)
    const job = await vectorize(id)
    expect([job.status, job.error, job.progress, job.kind]).toEqual(['completed', null, 100, 'vectorize'])
    const first = await read(id)
    expect(first.vectorized_at).not.toBeNull()
    expect([first.status, first.embedding_model, first.embedding_stale]).toEqual([
      before.status,
      'built-in/all-MiniLM-L6-v2',
      false,
    ])

    expect(await refusal(ada, api.documentVectorize(id), { force: false })).toEqual([
      409,
      'already_vectorized',
      'This document has already been vectorized. Use the force option to re-vectorize.',
    ])
    expect((await vectorize(id, { force: true })).status).toBe('completed')
    expect((await read(id)).vectorized_at! > first.vectorized_at!).toBe(true)
  })

  it('A document without text is not vectorized (VEC-01)', async () => {
    const id = await newDocument(null)
    expect(await refusal(ada, api.documentVectorize(id), {})).toEqual([
      422,
      'refused',
      'No text available to vectorize',
    ])
  })

  it('A new text removes the vectors, which can be created again (STATE-20)', async () => {
    const id = await newDocument(TEXT)
    await vectorize(id)
    await ada.json(api.documentText(id), {
      method: 'PUT',
      body: { extracted_text: '[Page 1]\nAn entirely new text about the cost of bread in towns.' },
    })
    expect((await read(id)).vectorized_at).toBeNull()
    expect((await vectorize(id)).status).toBe('completed')
    expect((await similar(ada, id, 'How much is bread?')).map(({ content }) => content)).toEqual([
      'An entirely new text about the cost of bread in towns.',
    ])
  })

  it('A document of another user is not found', async () => {
    const id = await newDocument(TEXT)
    expect((await refusal(bob, api.documentVectorize(id), {}))[0]).toBe(404)
    expect((await refusal(ada, api.documentVectorize('nonsense'), {}))[0]).toBeGreaterThanOrEqual(400)
    expect((await fetch(server.url + api.documentVectorize(id), { method: 'POST' })).status).toBe(401)
  })
})

describe('similarity-search', () => {
  it('The search answers the nearest chunks, most similar first, with their places, and no references (VEC-03)', async () => {
    const id = await newDocument(TEXT)
    await vectorize(id)
    const chunks = await similar(ada, id, 'Did anybody get hurt?', 10)
    expect(chunks.length).toBeGreaterThan(1)
    const pages = splitPages(TEXT)
    for (const { content, page_number, page_offset, similarity } of chunks) {
      expect(pages[page_number - 1]!.text.slice(page_offset, page_offset + content.length)).toBe(content)
      expect(similarity).toBeGreaterThanOrEqual(0)
      expect(similarity).toBeLessThanOrEqual(1)
      expect(content).not.toContain('Adams')
    }
    expect(chunks.map(({ similarity }) => similarity)).toEqual(
      chunks.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
    )
    expect(chunks[0]!.content).toContain('minor fall')
    expect(await similar(ada, id, 'Did anybody get hurt?', 1)).toHaveLength(1)
  })

  it('The search finds nothing for another user, and nothing in a document without vectors', async () => {
    const id = await newDocument(TEXT)
    expect(await similar(ada, id, 'walks')).toEqual([])
    await vectorize(id)
    await expect(similar(bob, id, 'walks')).rejects.toThrow(' 404')
  })

  it('The search compares directions: query vectors of any norm find the same chunks, and a zero vector is refused', async () => {
    const id = await newDocument(TEXT)
    await vectorize(id)
    const { embedding } = await ada.json<{ embedding: number[] }>(functionPath('generate-query-embedding'), {
      body: { query: 'bread' },
    })
    const search = (factor: number) =>
      ada.json<{ chunks: Chunk[] }>(functionPath('similarity-search'), {
        body: { query_embedding: embedding.map((value) => value * factor), document_id: id },
      })
    expect(await search(1e-6)).toEqual(await search(1))
    expect(await search(1e6)).toEqual(await search(1))
    const none = await post(ada, functionPath('similarity-search'), {
      query_embedding: embedding.map(() => 0),
      document_id: id,
    })
    expect(none.status).toBe(422)
  })

  it('The search refuses a vector of another dimension', async () => {
    const id = await newDocument(TEXT)
    await vectorize(id)
    const response = await post(ada, functionPath('similarity-search'), { query_embedding: [1, 0, 0], document_id: id })
    expect(response.status).toBe(422)
    expect((await response.json()) as object).toHaveProperty(
      'error',
      'The embedding has 3 numbers, but those of the document have 384.',
    )
  })
})

describe('generate-embeddings', () => {
  const chunks = [
    { content: 'Walks were held in the evening by trained volunteers.', pageNumber: 1, pageOffset: 0 },
    { content: 'Bread was cheap that year in all towns.', pageNumber: 2, pageOffset: 12 },
  ]
  interface Output {
    final_output: { success: boolean; error: string | null; alreadyVectorized: boolean }
  }
  const embed = (client: Client, body: object) => client.json<Output>(functionPath('generate-embeddings'), { body })

  it('The call generate-embeddings stores the chunks of the caller once, and again when forced', async () => {
    const id = await newDocument(TEXT)
    expect(await embed(ada, { chunks, document_id: id })).toEqual({
      final_output: { success: true, error: null, alreadyVectorized: false },
    })
    expect((await similar(ada, id, 'bread', 1))[0]).toMatchObject({
      content: chunks[1]!.content,
      page_number: 2,
      page_offset: 12,
    })
    expect((await embed(ada, { chunks: chunks.slice(0, 1), document_id: id })).final_output.alreadyVectorized).toBe(
      true,
    )
    expect(await similar(ada, id, 'bread')).toHaveLength(2)
    await embed(ada, { chunks: chunks.slice(0, 1), document_id: id, force: true })
    expect(await similar(ada, id, 'bread')).toHaveLength(1)
  })

  it.each([
    ['no chunks', {}],
    ['empty chunks', { chunks: [{ content: '  ', pageNumber: 1, pageOffset: 0 }] }],
    ['chunks without a letter', { chunks: [{ content: '— … •', pageNumber: 1, pageOffset: 0 }] }],
  ])('The call generate-embeddings refuses %s (VEC-02)', async (_what, body) => {
    const id = await newDocument(TEXT)
    const response = await post(ada, functionPath('generate-embeddings'), { ...body, document_id: id })
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      422,
      'No valid text chunks were generated',
    ])
  })

  it('The call generate-embeddings does not find a document of another user', async () => {
    const id = await newDocument(TEXT)
    await expect(embed(bob, { chunks, document_id: id })).rejects.toThrow(' 404')
  })
})
