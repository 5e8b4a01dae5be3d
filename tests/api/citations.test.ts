import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddedStyle, Citations, CitationStyles } from '#shared/contract/citations.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
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

const SITE = 'https://example.org/styles/'
/** Returns a citation style as CSL. Its citations print the title of a paper and a term of the locale. */
const style = ({
  id = 'house',
  title = 'House &amp; style',
  locale = '',
  parent = '',
  macros = '',
} = {}) => `<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0"${locale && ` default-locale="${locale}"`}>
  <info><title>${title}</title><id>${SITE}${id}</id>
    ${parent && `<link href="${parent}" rel="independent-parent"/>`}<updated>2026-01-01T00:00:00+00:00</updated></info>
  ${macros}
  ${
    parent
      ? ''
      : `<citation><layout><group delimiter=" ">${macros ? '<text macro="m0"/>' : ''}<text variable="title"/>
          <text term="and"/><text value="others"/></group></layout></citation>`
  }
</style>`
/** Returns `count` CSL macros, each of which uses the next macro twice, so that the output doubles with each macro. */
const doubled = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const next = at + 1 < count ? `<text macro="m${at + 1}"/>`.repeat(2) : '<text value="x"/>'
    return `<macro name="m${at}"><group>${next}</group></macro>`
  }).join('')

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
    expect(await refusal({ style: '../apa' })).toEqual([422, "The server has no citation style '../apa'."])
    expect(await refusal({ style: '<style/>' })).toEqual([422, "The server has no citation style '<style/>'."])
    expect(await refusal({ locale: 'tlh' })).toEqual([422, "The server has no citations in the language 'tlh'."])
    const many = Array.from({ length: 501 }, () => crypto.randomUUID())
    expect(await refusal({ ids: many })).toEqual([422, 'At most 500 papers can be cited at once.'])
  })

  it('The style and language of a project are the defaults of its citations (FMT-62)', async () => {
    const { project_id } = (await ada.json<{ data: DocumentDetail }>(api.document(ids[0]!))).data
    const change = (body: object) => ada.json(api.project(project_id!), { method: 'PATCH', body })
    const [first] = ids
    await change({ citation_style: 'vancouver', citation_language: 'de-DE' })
    expect((await cite({ style: undefined, ids: [first] })).bibliography[0]).toMatch(
      /^1\. Marlowe I, Okafor T\. Naps.*2025/,
    )
    expect((await cite({ ids: [first] })).bibliography[0]).toContain('(2025)')
    await ada.json(api.document(ids[1]!), { method: 'PATCH', body: { reference: { issued: null } } })
    expect((await cite({ ids: [ids[1]] })).intext).toBe('(Ferreira, o.\u00A0J.)')
    expect((await cite({ ids: [ids[1]], locale: 'fr-FR' })).intext).toBe('(Ferreira, s.\u00A0d.)')
    const refused = async (body: object) => {
      const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await ada.fetch(api.project(project_id!), init)
      return [response.status, ((await response.json()) as ApiErrorBody).error.message]
    }
    expect(await refused({ citation_style: 'apa-8' })).toEqual([422, "The server has no citation style 'apa-8'."])
    expect(await refused({ citation_language: 'tlh' })).toEqual([
      422,
      "The server has no citations in the language 'tlh'.",
    ])
  })

  it('A reference that is not stored is cited', async () => {
    const reference = { type: 'book', title: 'Sleep', author: [{ family: 'Marlowe', given: 'Ines' }] }
    const body = { reference, style: 'apa', language: 'de-DE' }
    const { data } = await ada.json<{ data: Citations }>(api.citationPreview(), { body })
    expect(data).toMatchObject({
      intext: '(Marlowe, o.\u00A0J.)',
      bibliography: [expect.stringContaining('<i>Sleep</i>')],
    })
  })

  it('Admins add styles for all users, and files that are no usable style are refused with the reason (FMT-61)', async () => {
    const add = async (xml: string, client = ada) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ xml }) }
      const response = await client.fetch(api.addedStyles(), init)
      const { data, error } = (await response.json()) as { data?: AddedStyle; error?: { message: string } }
      return { status: response.status, message: error?.message, id: data?.id ?? '', data }
    }
    const dave = await signUp(server.url)
    expect((await add(style(), dave)).status).toBe(403)
    const added = await add(style())
    expect(added).toMatchObject({
      status: 201,
      data: { style_id: `${SITE}house`, title: 'House & style', parent: null },
    })
    expect(await add(style())).toMatchObject({
      status: 409,
      message: `There is a style with the id ${SITE}house. Delete it first.`,
    })
    // A dependent style is its parent in its own language.
    const dependent = style({ id: 'child', title: 'Child', locale: 'de-DE', parent: `${SITE}house` })
    const child = await add(dependent)
    expect(child.data).toMatchObject({ parent: `${SITE}house`, locale: 'de-DE' })
    const { data } = await dave.json<CitationStyles>(api.citationStyles())
    expect(data.findIndex(({ id }) => id === `${SITE}house`)).toBeLessThan(30)
    const of = (id: string) => cite({ ids: [ids[0]], style: `${SITE}${id}` })
    const inEnglish = await cite({ ids: [ids[0]], style: `${SITE}house`, locale: 'en-US' })
    expect(inEnglish.intext).toBe('Naps & recall in old age and others')
    expect((await of('child')).intext).toContain('und others')
    expect(await add(style({ id: 'apa-child', parent: 'http://www.zotero.org/styles/apa' }))).toMatchObject({
      status: 201,
    })

    for (const [xml, message] of [
      ['<style', /^This file is not XML/],
      ['<!DOCTYPE style [<!ENTITY a "b">]><style/>', 'This file contains a document type definition.'],
      ['<html xmlns="http://www.w3.org/1999/xhtml"/>', 'This file is not a style of the Citation Style Language.'],
      [style({ id: '' }).replace(`<id>${SITE}</id>`, ''), 'This style has no id of at most 300 characters.'],
      [style({ id: 'x', title: '' }), 'This style has no title of at most 300 characters.'],
      [style({ id: 'x', locale: 'tlh' }), "The server has no citations in the language 'tlh'."],
      [
        style({ id: 'x', parent: `${SITE}none` }),
        `This style depends on ${SITE}none, which the server does not have. Add it first.`,
      ],
      [
        style({ id: 'x', macros: doubled(40) }),
        /^(?:Formatting these citations takes too|This style cannot format papers)/,
      ],
      [style({ id: 'x', title: 'x'.repeat(520_000) }), 'This file is larger than 500 kB.'],
    ] as const) {
      const refused = await add(xml)
      expect([refused.status, refused.message]).toEqual([
        message === 'This file is larger than 500 kB.' ? 413 : 422,
        typeof message === 'string' ? message : expect.stringMatching(message),
      ])
    }
    const remove = (id: string) => ada.fetch(api.addedStyle(id), { method: 'DELETE' })
    expect((await remove(added.id)).status).toBe(409)
    expect([(await remove(child.id)).status, (await remove(added.id)).status]).toEqual([200, 200])
    expect(await refusal({ style: `${SITE}house` })).toEqual([422, `The server has no citation style '${SITE}house'.`])
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
