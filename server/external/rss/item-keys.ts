import { createHash } from 'node:crypto'
import { arxivId } from '#shared/references/identifiers.ts'

const DOI = /\b10\.\d{4,9}\/[^\s?#&"'<>]+/i

/** Returns the first DOI in these texts, in lower case (DOIs are case-insensitive), or null. */
export function doiIn(texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    const found = DOI.exec(text ?? '')?.[0]
    if (found) return found.toLowerCase().replace(/[.,;:)\]]+$/, '')
  }
  return null
}

/**
 * Returns the DOI in an article's address, or null. Recognizes addresses of doi.org and of arXiv (where each paper has a DOI),
 * and paths that contain /doi/.
 */
export function doiOfLink(link: string): string | null {
  const url = URL.parse(link)
  if (!url) return null
  const path = decode(url.pathname)
  if (/(^|\.)doi\.org$/.test(url.hostname)) return doiIn([path.slice(1)])
  const arxiv = /(^|\.)arxiv\.org$/.test(url.hostname) ? arxivId(`arxiv.org${path}`) : undefined
  if (arxiv) return `10.48550/arxiv.${arxiv}`
  return /\/doi\//.test(path) ? doiIn([path.replace(/\/(?:full|abstract|pdf|epdf)$/, '')]) : null
}

/** Matches names of URL parameters that track the reader and do not select the page. */
const TRACKING = /^(?:utm_.*|dgcid|wt_.*|rss|af|source|ref|fbclid|gclid|mc_cid|mc_eid|cmpid|xtor|ftag)$/i

/** Normalizes an address for comparison: no scheme, www, tracking parameters, fragment or trailing slash. Null if invalid. */
export function normalLink(link: string): string | null {
  const url = URL.parse(link)
  if (!url) return null
  const parameters = [...url.searchParams].filter(([name]) => !TRACKING.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const search = new URLSearchParams(parameters).toString()
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/+$/, '')}${search ? `?${search}` : ''}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const MOST_BYTES = 500

/**
 * Returns the key under which the database stores an article of a feed. It is `key` itself, or, if `key` has more than 500
 * bytes and is too long for a database index, 'sha256:' and the hash of `key`.
 */
export function bounded(key: string): string {
  if (Buffer.byteLength(key) <= MOST_BYTES) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}
