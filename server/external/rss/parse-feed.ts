import { parseFeed as parse } from 'feedsmith'
import { NO_LINK, NO_TITLE } from '#shared/contract/feeds.ts'
import { bounded, doiIn, doiOfLink, normalLink } from './item-keys.ts'
import { plainText } from './plain-text.ts'

/** An article of a feed, ready to be stored. */
export interface FeedItem {
  /** Identifies the article within its feed. */
  key: string
  /** 'doi:…' or 'link:…': identical in every feed that contains the article. Null when it has neither. */
  mergeKey: string | null
  /** The address of the article as 'link:…', even if `mergeKey` is the DOI. Null when the article has no link. */
  linkKey: string | null
  title: string
  link: string
  doi: string | null
  /** ISO 8601. Null when it is missing or implausible. */
  publishedAt: string | null
  description: string
}

/** An article as the feed parser returns it, with the fields of all feed formats. */
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

/** Thrown for a text that is not a readable feed. The message is shown to users. */
export class NotAFeed extends Error {}

/**
 * Parses the first 1,000 articles of a feed in RSS 0.9x, 1.0, 2.0, Atom or JSON Feed. Titles and descriptions become plain
 * text; links become absolute http(s) addresses, resolved against `address`, or '#' if there is none. A feed that declares
 * entities is refused, which prevents entity expansion attacks. Throws `NotAFeed`.
 */
export function readFeed(text: string, address: string, now = Date.now()): FeedItem[] {
  if (/<!ENTITY/i.test(text.slice(0, 200_000)))
    throw new NotAFeed('The feed declares XML entities, which are not supported.')
  if (text.trim() === '') throw new NotAFeed('The response of the site is empty.')
  const { feed } = parseOrRefuse(text.replace(/<!DOCTYPE[^>[]*>/i, ''))
  const { items, entries, xml } = feed as { items?: RawItem[]; entries?: RawItem[]; xml?: { base?: string } }
  const base = baseOf(xml?.base, address)
  const read = (item: RawItem) => readItem(item, baseOf(item.xml?.base, base), now)
  return withOwnKeys((items ?? entries ?? []).slice(0, MAX_ITEMS).map(read))
}

/**
 * Adds the title to the keys of articles without a guid that have the same address, such as that of the journal. Otherwise only
 * the first of them would be stored. Such an article shares its marks only with articles of its DOI.
 */
function withOwnKeys(items: FeedItem[]): FeedItem[] {
  const titles = new Map<string, Set<string>>()
  for (const { key, title } of items) titles.set(key, (titles.get(key) ?? new Set()).add(title))
  return items.map((item) =>
    item.key === bounded(item.link) && titles.get(item.key)!.size > 1
      ? {
          ...item,
          key: bounded(`${item.link} title:${item.title}`),
          mergeKey: item.mergeKey === item.linkKey ? null : item.mergeKey,
        }
      : item,
  )
}

function parseOrRefuse(text: string) {
  try {
    return parse(text)
  } catch (error) {
    throw new NotAFeed('The response of the site is not a feed.', { cause: error })
  }
}

function readItem(item: RawItem, address: string, now: number): FeedItem {
  // Many feeds put an identifier into the guid without isPermaLink="false".
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
  // Distinguishes items that have only a description.
  const content = title === NO_TITLE ? `text:${description}` : `title:${title}`
  return {
    key: bounded(item.guid?.value || item.id || (link === NO_LINK ? '' : link) || content),
    mergeKey: doi ? bounded(`doi:${doi}`) : linkKey,
    linkKey,
    title,
    link,
    doi,
    publishedAt: dateOf(item, now),
    description,
  }
}

/**
 * Returns the text of a value: a string itself, the first text of a list, or the text in the field `value`, `encoded` or
 * `content` of an object, in which some formats wrap it. Returns '' for other values.
 */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return wordsOf(value[0])
  if (value === null || typeof value !== 'object') return ''
  const { value: inner, encoded, content } = value as { value?: unknown; encoded?: unknown; content?: unknown }
  return wordsOf(inner ?? encoded ?? content)
}

/** Returns the base of relative addresses: xml:base if it is given, else `address`. */
const baseOf = (given: string | undefined, address: string) => URL.parse(given ?? '', address)?.href ?? address

/** Returns an absolute http(s) address without credentials, or null. */
function webLink(text: string | undefined, base: string): string | null {
  const url = text?.trim() ? URL.parse(text.trim(), base) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.href.length > 2000) return null
  return url.href
}

/**
 * Returns the first plausible publication date of an article, in ISO 8601: not before 1700, and at most one day in the future
 * (an issue can have a future date). Null if there is none.
 */
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
    // Date.parse reads the year 0001, which some programs write for 'none', as 2001.
    const time =
      one instanceof Date ? one.getTime() : /(?:^|[a-z] )0\d{3}\b/i.test(text) ? NaN : Date.parse(zoned(text))
    if (time > Date.parse('1700-01-01') && time < now + DAY_MS) return new Date(time).toISOString()
  }
  return null
}

const ZONES: Record<string, string> = { CET: '+0100', CEST: '+0200', BST: '+0100', JST: '+0900', IST: '+0530' }

/**
 * Prepares a date for Date.parse, so that a date without a time zone is read as UTC. Replaces zone names that Date.parse does
 * not know by offsets ('CET' by '+0100').
 */
const zoned = (text: string) => {
  const numbered = text.replace(/\b(CET|CEST|BST|JST|IST)$/, (name) => ZONES[name] ?? name)
  return /[zZ]$|[+-]\d{2}:?\d{2}$|\b[A-Z]{2,4}$|^\d{4}(-\d\d){0,2}$/.test(numbered) ? numbered : `${numbered} UTC`
}
