import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeText } from '#shared/text/decode-text.ts'
import { NotAFeed, readFeed } from './parse-feed.ts'

const NOW = Date.parse('2026-09-18T12:00:00Z')
const FIXTURES = new URL('../../../tests/fixtures/feeds/', import.meta.url)
const read = (file: URL, type = '') =>
  readFeed(decodeText(new Uint8Array(readFileSync(file)), type), 'https://feed.example.org/rss', NOW)
const fixture = (name: string) => read(new URL(name, FIXTURES))
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>${items.map((one) => `<item>${one}</item>`).join('')}</channel></rss>`
const items = (...inside: string[]) => readFeed(rss(...inside), 'https://feed.example.org/rss', NOW)

describe('readFeed, formats', () => {
  it('readFeed reads RSS 0.90 and 0.91, which have no dates', () => {
    expect(fixture('rss-0.90.rdf')).toEqual([
      {
        key: 'https://night.example.org/papers/1',
        mergeKey: 'link:night.example.org/papers/1',
        linkKey: 'link:night.example.org/papers/1',
        title: 'Naps & noise',
        link: 'https://night.example.org/papers/1',
        doi: null,
        publishedAt: null,
        description: '',
      },
    ])
    expect(fixture('rss-0.91.xml')).toMatchObject([
      { title: 'Dreams in the dark', link: 'https://old.example.org/7', description: 'Words said on waking.' },
    ])
  })

  it('readFeed reads RSS 1.0 with Dublin Core and PRISM', () => {
    expect(fixture('rss-1.0.rdf')).toMatchObject([
      {
        title: 'Spindles of Mus musculus & recall',
        link: 'https://rdf.example.org/articles/s1?utm_source=rss',
        doi: '10.1000/s1',
        mergeKey: 'doi:10.1000/s1',
        publishedAt: '2026-05-13T00:00:00.000Z',
        description: 'Published online: 13 May 2026; doi:10.1000/S1',
      },
    ])
  })

  it('readFeed reads RSS 2.0 and fills missing fields with the specified defaults (FEED-10)', () => {
    expect(fixture('rss-2.0.xml')).toMatchObject([
      {
        key: 'tag:two.example.org,2026:1',
        title: 'Night shifts—a cohort',
        doi: '10.1000/two.1',
        publishedAt: '2026-06-03T04:00:00.000Z',
        description: 'Nurses who slept less.',
      },
      { title: 'No title', link: '#', mergeKey: null, publishedAt: null, description: 'Only words' },
      { title: 'Undated', link: 'https://feed.example.org/relative/2', publishedAt: null },
      { link: 'https://two.example.org/by-guid', publishedAt: '2026-06-01T06:00:00.000Z' },
    ])
  })

  it('readFeed reads Atom 1.0 and 0.3', () => {
    expect(fixture('atom-1.0.xml')).toMatchObject([
      {
        title: 'H2O at night',
        link: 'https://atom.example.org/e/1',
        publishedAt: '2026-06-01T08:00:00.000Z',
        description: 'Water & sleep.',
      },
      { title: 'Only updated', publishedAt: '2026-06-02T09:30:00.000Z', description: 'Said in XHTML.' },
    ])
    expect(fixture('atom-0.3.xml')).toMatchObject([
      {
        title: 'Before there was a standard',
        link: 'https://a03.example.org/1',
        publishedAt: '2004-12-13T12:29:29.000Z',
        description: 'In 2004.',
      },
    ])
  })

  it('readFeed resolves links by xml:base and Atom links in RSS, and makes no link of a plain identifier (FEED-10)', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.example.org/a/"><title>T</title>
      <entry xml:base="b/"><title>x</title><id>1</id><link href="c"/></entry></feed>`
    expect(readFeed(atom, 'https://feed.example.org/', NOW)[0]?.link).toBe('https://base.example.org/a/b/c')
    const [linked, named] = items(
      '<atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="https://site.example.org/at"/>',
      '<title>y</title><guid>article-7</guid>',
    )
    expect([linked?.link, named?.link]).toEqual(['https://site.example.org/at', '#'])
  })

  it('readFeed assigns different keys to items that have only a description', () => {
    const keys = items('<description>One</description>', '<description>Two</description>').map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  it.each([
    ['https://arxiv.org/abs/2606.02652v2', '10.48550/arxiv.2606.02652'],
    ['http://export.arxiv.org/abs/math.GT/0211159', '10.48550/arxiv.math/0211159'],
    ['https://arxiv.org/list/cs/new', null],
  ])('readFeed reads the DOI of the address %s', (link, doi) => expect(items(`<link>${link}</link>`)[0]?.doi).toBe(doi))

  it('readFeed gives articles without a guid and with the same address different keys', () => {
    const link = '<link>https://journal.example.org/current</link>'
    const found = items(
      `<title>One</title>${link}`,
      `<title>Two</title>${link}<guid isPermaLink="false">two</guid>`,
      `<title>Three</title>${link}`,
      '<title>Four</title><link>https://journal.example.org/4</link>',
    )
    expect(found.map(({ key }) => key)).toEqual([
      'https://journal.example.org/current title:One',
      'two',
      'https://journal.example.org/current title:Three',
      'https://journal.example.org/4',
    ])
    const merged = [null, 'link:journal.example.org/current', null, 'link:journal.example.org/4']
    expect(found.map(({ mergeKey }) => mergeKey)).toEqual(merged)
  })

  it('readFeed reads JSON Feed', () => {
    expect(fixture('feed.json')).toMatchObject([
      {
        title: 'Sleep in braces',
        link: 'https://json.example.org/1',
        publishedAt: '2026-06-04T12:00:00.000Z',
        description: 'With markup & more.',
      },
      { title: 'No title', doi: '10.1000/json.2', mergeKey: 'doi:10.1000/json.2', description: 'No title here.' },
    ])
  })

  it('readFeed reads CDATA titles, dates in words and markup in descriptions, as publishers write them', () => {
    const folder = new URL('publishers/', FIXTURES)
    const found = Object.fromEntries(readdirSync(folder).map((name) => [name, read(new URL(name, folder))]))
    expect(found['news-of-1999.xml']?.map(({ title }) => title)).toEqual([
      'Größere Mikroskope: Vorsichtsmaßnahmen beim Aufbau',
      'Förderung: Zwei Institute & ein Haushalt',
    ])
    expect(found['portal.rdf']?.[0]).toMatchObject({
      title: 'Bats map a valley by echo before they leave the roost',
      doi: '10.5555/p-2026-00461',
      publishedAt: '2026-05-13T00:00:00.000Z',
    })
    expect(found['preprints.rdf']?.[0]).toMatchObject({
      title: 'Printed Cartilage Keeps its Shape under Cyclic Load for Twelve Weeks',
      doi: '10.5555/412001',
      publishedAt: '2019-11-29T00:00:00.000Z',
      description: 'Printed constructs lost less than 4 % of their height & kept their stiffness.',
    })
    expect(found['publication-date-in-words.rss']?.[0]).toMatchObject({ title: 'In vitro synthesis of a lactone' })
    expect(found['announcements.rss']?.[0]).toMatchObject({
      link: 'https://arxiv.org/abs/2606.99999',
      doi: '10.48550/arxiv.2606.99999',
      publishedAt: '2026-06-03T04:00:00.000Z',
    })
    expect(Object.values(found).flat()).toHaveLength(6)
    for (const [name, list] of Object.entries(found))
      for (const one of list) {
        expect([name, one.title]).not.toEqual([name, 'No title'])
        expect([name, one.link]).not.toEqual([name, '#'])
        expect(`${one.title}${one.description}`).not.toMatch(/<\/?\w+[^>]*>|&\w+;/)
      }
  })
})

describe('readFeed, hostile content', () => {
  it('readFeed turns HTML into plain text and accepts only http(s) links', () => {
    const [one, two, three] = items(
      `<title>A &lt;script&gt;alert(1)&lt;/script&gt;B</title><link>javascript:alert(1)</link><description><![CDATA[<img src=x onerror=alert(1)>Words<style>p{}</style>]]></description>`,
      `<title>x</title><link>https://user:secret@example.org/</link>`,
      `<title>5 &amp;lt; 6 &amp;amp;amp; more</title><link>data:text/html,hello</link>`,
    )
    expect(one).toMatchObject({ title: 'A B', link: '#', description: 'Words' })
    expect(two?.link).toBe('#')
    expect(three).toMatchObject({ title: '5 < 6 &amp; more', link: '#' })
  })

  it('readFeed ignores dates in the future and before 1700', () => {
    const dates = items(
      '<pubDate>Fri, 01 Jan 2100 00:00:00 GMT</pubDate>',
      '<pubDate>Mon, 01 Jan 0001 00:00:00 GMT</pubDate>',
      '<pubDate>2026-09-17</pubDate>',
      '<pubDate>2026-09-17 08:00:00</pubDate>',
    ).map((one) => one.publishedAt)
    expect(dates).toEqual([null, null, '2026-09-17T00:00:00.000Z', '2026-09-17T08:00:00.000Z'])
  })

  it('readFeed shortens keys, titles and descriptions to their maximum length', () => {
    const [one] = items(
      `<guid isPermaLink="false">${'ключ'.repeat(3000)}</guid><title>${'t'.repeat(9000)}</title><link>https://example.org/${'p'.repeat(1900)}</link><description>${'d '.repeat(20_000)}</description>`,
    )
    expect(Buffer.byteLength(one!.key)).toBeLessThanOrEqual(500)
    expect(Buffer.byteLength(one!.mergeKey!)).toBeLessThanOrEqual(500)
    expect([one!.title.length, one!.description.length]).toEqual([1000, 5000])
  })

  it('readFeed returns at most a thousand articles', () => {
    expect(items(...Array.from({ length: 1200 }, (_, index) => `<title>${index}</title>`))).toHaveLength(1000)
  })

  it.each([
    ['', /empty/],
    ['   \n', /empty/],
    ['<!doctype html><title>Hello</title>', /not a feed/],
    ['{"hello": 1}', /not a feed/],
    ['<rss version="2.0"><channel><item><title>x', /not a feed/],
    [`<!DOCTYPE r [<!ENTITY a "aaaa">]>${rss('<title>&a;</title>')}`, /entities/],
  ])('readFeed refuses %j', (text, words) => {
    expect(() => readFeed(text, 'https://feed.example.org/', NOW)).toThrow(NotAFeed)
    expect(() => readFeed(text, 'https://feed.example.org/', NOW)).toThrow(words)
  })
})
