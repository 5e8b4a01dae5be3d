import { parseFeed as parse } from 'feedsmith'
import { NO_LINK, NO_TITLE } from '#shared/feeds.ts'
import { bounded, doiIn, doiOfLink, normalLink } from './item-keys.ts'
import { plainText } from './plain-text.ts'

/** One article of a feed, ready to be stored. */
export interface FeedItem {
  /** What the feed knows it by. */
  key: string
  /** 'doi:…' or 'link:…': the same in every feed that carries the article. Null where it has neither. */
  mergeKey: string | null
  /** Its link as such a key, beside a DOI too; null where it has none. */
  linkKey: string | null
  title: string
  link: string
  doi: string | null
  /** ISO 8601, or null where the feed does not say or says nonsense. */
  publishedAt: string | null
  description: string
}

/** What the formats have in common, as the parser hands it over. */
interface RawItem {
  title?: unknown
  link?: unknown
  links?: { href?: string; rel?: string }[]
  url?: string
  external_url?: string
  id?: string
  guid?: { value?: string; isPermaLink?: boolean }
  atom?: { links?: { href?: string; rel?: string }[] }
  xml?: { base?: string }
  rdf?: { about?: string }
  description?: unknown
  summary?: unknown
  content?: unknown
  content_html?: string
  content_text?: string
  pubDate?: unknown
  published?: unknown
  updated?: unknown
  date_published?: unknown
  date_modified?: unknown
  dc?: { dates?: unknown[]; identifiers?: string[]; titles?: string[] }
  dcterms?: { issued?: unknown; dates?: unknown[]; created?: unknown }
  prism?: Record<string, unknown>
}

const MAX_ITEMS = 1000
const DAY_MS = 86_400_000

/** The text is no feed that can be read. */
export class NotAFeed extends Error {}

/**
 * The articles of a feed in RSS 0.9x, 1.0 or 2.0, Atom or JSON Feed. Declared entities are refused, so nothing can grow
 * from them; titles and descriptions come out as plain text; links are absolute http(s) or '#'.
 */
export function readFeed(text: string, address: string, now = Date.now()): FeedItem[] {
  if (/<!ENTITY/i.test(text.slice(0, 200_000))) throw new NotAFeed('The feed declares entities of its own.')
  if (text.trim() === '') throw new NotAFeed('The address answered with nothing.')
  const { feed } = parseOrRefuse(text.replace(/<!DOCTYPE[^>[]*>/i, ''))
  const { items, entries, xml } = feed as { items?: RawItem[]; entries?: RawItem[]; xml?: { base?: string } }
  const base = baseOf(xml?.base, address)
  return (items ?? entries ?? []).slice(0, MAX_ITEMS).map((item) => readItem(item, baseOf(item.xml?.base, base), now))
}

function parseOrRefuse(text: string) {
  try {
    return parse(text)
  } catch (error) {
    throw new NotAFeed('The address does not answer with a feed.', { cause: error })
  }
}

function readItem(item: RawItem, address: string, now: number): FeedItem {
  // Many feeds put a name of their own into the guid and do not say that it is no address.
  const permanent =
    item.guid?.isPermaLink !== false && /^\s*https?:/i.test(item.guid?.value ?? '') ? item.guid?.value : ''
  const links = item.links ?? item.atom?.links
  const alternate = links?.find(({ rel }) => !rel || rel === 'alternate') ?? links?.[0]
  const link =
    [wordsOf(item.link), alternate?.href, item.url, item.external_url, item.rdf?.about, permanent]
      .map((one) => webLink(one, address))
      .find(Boolean) ?? NO_LINK
  const title = plainText(wordsOf(item.title) || (item.dc?.titles?.[0] ?? ''), 1000) || NO_TITLE
  const doi =
    doiIn([wordsOf(item.prism?.['doi']), ...(item.dc?.identifiers ?? [])]) ??
    doiOfLink(link) ??
    doiIn([
      /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)/i.test(item.guid?.value ?? item.id ?? '')
        ? (item.guid?.value ?? item.id)
        : undefined,
    ])
  const normal = link === NO_LINK ? null : normalLink(link)
  const linkKey = normal ? bounded(`link:${normal}`) : null
  const words = [item.description, item.summary, item.content_text, item.content, item.content_html].map(wordsOf)
  const description = plainText(words.find((one) => one.trim()) ?? '', 5000)
  // Of what has neither, two are not the same because both have no title.
  const said = title === NO_TITLE ? `text:${description}` : `title:${title}`
  return {
    key: bounded(item.guid?.value || item.id || (link === NO_LINK ? '' : link) || said),
    mergeKey: doi ? bounded(`doi:${doi}`) : linkKey,
    linkKey,
    title,
    link,
    doi,
    publishedAt: dateOf(item, now),
    description,
  }
}

/** A text, or the text inside the shapes that the formats wrap one in. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return wordsOf(value[0])
  if (value === null || typeof value !== 'object') return ''
  const { value: inner, encoded, content } = value as { value?: unknown; encoded?: unknown; content?: unknown }
  return wordsOf(inner ?? encoded ?? content)
}

/** What relative addresses begin with where an xml:base says so. */
const baseOf = (given: string | undefined, address: string) => URL.parse(given ?? '', address)?.href ?? address

/** The absolute http(s) address, or null. */
function webLink(text: string | undefined, base: string): string | null {
  const url = text?.trim() ? URL.parse(text.trim(), base) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.href.length > 2000) return null
  return url.href
}

/** When it came out. A date in the future (an issue dated ahead) or from before print says nothing about news. */
function dateOf(item: RawItem, now: number): string | null {
  const given = [
    item.pubDate,
    item.published,
    item.date_published,
    item.dc?.dates?.[0],
    item.dcterms?.issued,
    item.dcterms?.dates?.[0],
    item.dcterms?.created,
    item.prism?.['publicationDate'],
    item.updated,
    item.date_modified,
  ]
  for (const one of given) {
    const text = wordsOf(one).trim()
    // JavaScript takes the year 1, which some programs write for none, for 2001.
    const time =
      one instanceof Date ? one.getTime() : /(?:^|[a-z] )0\d{3}\b/i.test(text) ? NaN : Date.parse(zoned(text))
    if (time > Date.parse('1700-01-01') && time < now + DAY_MS) return new Date(time).toISOString()
  }
  return null
}

const ZONES: Record<string, string> = { CET: '+0100', CEST: '+0200', BST: '+0100', JST: '+0900', IST: '+0530' }

/** Dates without a time are read as UTC; zone names that JavaScript does not know become numbers. */
const zoned = (text: string) => {
  const numbered = text.replace(/\b(CET|CEST|BST|JST|IST)$/, (name) => ZONES[name] ?? name)
  return /[zZ]$|[+-]\d{2}:?\d{2}$|\b[A-Z]{2,4}$|^\d{4}(-\d\d){0,2}$/.test(numbered) ? numbered : `${numbered} UTC`
}
