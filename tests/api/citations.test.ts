import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Citations, CitationStyles } from '#shared/contract/citations.ts'
import type { ApiErrorBody } from '#shared/contract/errors.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Site } from '#shared/contract/site.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const PAPERS = [
  {
    title: 'Naps & recall <b>in old age</b>',
    authors: ['Ines Marlowe', 'Tobi Okafor'],
    publication_date: '2025-03-14',
    journal_name: 'Journal of Sleep',
  },
  { title: 'Spindles', authors: ['Ana Ferreira'], publication_date: '2019-01-02' },
]

let server: TestServer
let ada: Client
let ids: string[]

const papers = async (client: Client) => {
  const { data } = await client.json<{ data: Project }>(api.projects(), { body: { name: 'Naps' } })
  const added = []
  for (const { title, authors, ...facts } of PAPERS) {
    const body = { project_id: data.id, title, authors }
    const { document } = (await client.json<{ data: AddedPaper }>(api.papers(), { body })).data
    await client.json(api.document(document.id), { method: 'PATCH', body: facts })
    added.push(document.id)
  }
  return added
}
const cite = async (body: object, client = ada) =>
  (await client.json<{ data: Citations }>(api.citations(), { body: { ids, style: 'apa', ...body } })).data
const refusal = async (body: object, client = ada) => {
  const response = await client.fetch(api.citations(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids, style: 'apa', ...body }),
  })
  const { error } = (await response.json()) as ApiErrorBody
  return [response.status, error.message]
}

beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  ids = await papers(ada)
})
afterAll(() => server.stop())

describe('citations', () => {
  it('Papers are cited in a style as text and as HTML (FMT-60)', async () => {
    expect(await cite({})).toEqual({
      intext: '(Ferreira, 2019; Marlowe & Okafor, 2025)',
      bibliography: [
        'Ferreira, A. (2019). Spindles.',
        'Marlowe, I., & Okafor, T. (2025). Naps & recall in old age. Journal of Sleep.',
      ],
    })
    const { bibliography } = await cite({ output: 'html', ids: [ids[0]] })
    expect(bibliography).toHaveLength(1)
    expect(bibliography[0]).toContain('<i>Journal of Sleep</i>')
    expect((await cite({ style: 'vancouver', ids: ids.toReversed() })).bibliography[0]).toMatch(
      /^1\. Ferreira A\. Spindles/,
    )
  })

  it('GET /api/citation-styles lists styles and languages, and each can be used (FMT-61, FMT-62)', async () => {
    const { data, count, locales } = await ada.json<CitationStyles>(api.citationStyles())
    expect([data[0]?.id, data.length]).toEqual(['apa', count])
    const locale = locales.find((one) => one === 'de-DE')
    expect((await cite({ style: data.at(-1)!.id, locale })).bibliography).toHaveLength(2)
  })

  it('A citation of an unreadable paper, an unknown style, an unknown language or too many papers is refused', async () => {
    const bob = await signUp(server.url)
    expect(await refusal({}, bob)).toEqual([404, 'Document not found'])
    expect(await refusal({ ids: [ids[0], crypto.randomUUID()] })).toEqual([404, 'Document not found'])
    expect(await refusal({ style: '../apa' })).toEqual([422, "Lectern has no citation style '../apa'."])
    expect(await refusal({ style: '<style/>' })).toEqual([422, "Lectern has no citation style '<style/>'."])
    expect(await refusal({ locale: 'tlh' })).toEqual([422, "Lectern has no citations in the language 'tlh'."])
    const many = Array.from({ length: 501 }, () => crypto.randomUUID())
    expect(await refusal({ ids: many })).toEqual([422, 'At most 500 papers can be cited at once.'])
  })

  it('CITATIONS=off removes the routes, and /api/site reports it (FMT-64)', async () => {
    const site = async (from: TestServer) =>
      ((await (await fetch(new URL(api.site(), from.url))).json()) as { data: Site }).data.citations
    const off = await startServer({ env: { CITATIONS: 'off' } })
    try {
      const ben = await signUp(off.url)
      expect(await refusal({}, ben)).toEqual([404, 'There is nothing at this address.'])
      expect((await ben.fetch(api.citationStyles())).status).toBe(404)
      expect([await site(off), await site(server)]).toEqual([false, true])
    } finally {
      await off.stop()
    }
  })
})
