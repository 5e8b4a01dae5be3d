import type { Reference } from '#shared/contract/references.ts'
import { doiOf } from '#shared/references/identifiers.ts'
import { anyOrder } from '#shared/references/names.ts'
import { buildReference, dateOfTexts, namesOf, pageRange } from '../build-reference.ts'
import { plainText } from '../rss/plain-text.ts'

const ABSTRACT_MAX = 20_000

/** Matches a meta tag. Excludes `<`: a page with many unclosed `<meta` would otherwise take quadratic time. */
const META = /<meta\b[^<>]{1,30000}>/gi
const TAGS_MAX = 5000

/** A paper that a web page describes in its `citation_*` tags. */
export interface PageCitation {
  /** Undefined if the page has no tag `citation_title`. */
  reference?: Reference
  doi?: string
}

/**
 * Reads the `citation_*` tags of a web page (inclusion guidelines of Google Scholar). `address` is the address of the page.
 * Returns null for a page whose tags contain neither a title nor a DOI.
 */
export function readCitationTags(html: string, address: string): PageCitation | null {
  const tags = citationTags(html)
  const one = (...names: string[]) => names.flatMap((name) => tags.get(name) ?? [])[0]
  const doi = [...(tags.get('doi') ?? []), one('id') ?? ''].map(doiOf).find(Boolean)
  const title = one('title')
  if (!title) return doi ? { doi } : null
  const kind = typeOf(tags)
  const reference = buildReference({
    type: kind,
    title,
    author: namesOf(tags.get('author') ?? one('authors')?.split(/\s*;\s*/), anyOrder),
    editor: namesOf(tags.get('editor'), anyOrder),
    'container-title': one('journal_title', 'inbook_title', 'book_title', 'conference_title', 'conference'),
    'container-title-short': one('journal_abbrev'),
    'collection-title': one('series_title'),
    issued: dateOfTexts(one('publication_date'), one('date'), one('online_date', 'cover_date'), one('year')),
    volume: one('volume'),
    issue: one('issue'),
    page: pageRange(one('firstpage'), one('lastpage')),
    number: one('technical_report_number', 'patent_number'),
    publisher: one('publisher', 'dissertation_institution', 'technical_report_institution'),
    genre: one('dissertation_name'),
    DOI: doi,
    PMID: /\d+/.exec(one('pmid') ?? '')?.[0],
    ISSN: [...new Set(tags.get('issn'))].join(', '),
    ISBN: [...new Set(tags.get('isbn'))].join(', '),
    language: one('language'),
    keyword: (tags.get('keywords') ?? tags.get('keyword'))?.join('; '),
    URL: webAddress(one('abstract_html_url', 'public_url', 'fulltext_html_url'), address),
    abstract: plainText(one('abstract') ?? '', ABSTRACT_MAX),
  })
  return { reference, ...(doi && { doi }) }
}

/**
 * Returns the contents of the `citation_*` tags as plain text. The keys are the names of the tags without 'citation_'. Reads at
 * most 5,000 tags.
 */
function citationTags(html: string): Map<string, string[]> {
  const tags = new Map<string, string[]>()
  let count = 0
  for (const [tag] of html.matchAll(META)) {
    const name = /\b(?:name|property)\s*=\s*["']?citation_(\w{1,60})/i.exec(tag)?.[1]?.toLowerCase()
    const found = name && /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
    const content = found ? plainText(found[1] ?? found[2] ?? found[3] ?? '', ABSTRACT_MAX) : ''
    if (!name || !content) continue
    tags.set(name, [...(tags.get(name) ?? []), content])
    if (++count === TAGS_MAX) break
  }
  return tags
}

function typeOf(tags: ReadonlyMap<string, unknown>): Reference['type'] {
  const has = (...names: string[]) => names.some((name) => tags.has(name))
  if (has('journal_title', 'journal_abbrev', 'issn', 'volume', 'issue') && !has('inbook_title'))
    return 'article-journal'
  if (has('conference_title', 'conference')) return 'paper-conference'
  if (has('dissertation_institution', 'dissertation_name')) return 'thesis'
  if (has('technical_report_institution', 'technical_report_number')) return 'report'
  if (has('patent_number')) return 'patent'
  if (has('inbook_title', 'book_title')) return 'chapter'
  if (has('isbn')) return 'book'
  return has('doi', 'arxiv_id', 'pmid', 'publication_date', 'date') ? 'article' : 'webpage'
}

function webAddress(text: string | undefined, address: string): string {
  const url = URL.parse(text ?? '', address)
  return url && text && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : address.slice(0, 2000)
}
