import { createHash } from 'node:crypto'

const DOI = /\b10\.\d{4,9}\/[^\s?#&"'<>]+/i

/** A paper's number at arXiv, old or new, without its version. */
const ARXIV = /^\/(?:abs|pdf)\/((?:[a-z-]+(?:\.[a-z]{2})?\/)?\d{4}\.?\d{3,5})(?:v\d+)?(?:\.pdf)?$/i

/** The DOI in the first of these texts that holds one, in lower case (a DOI has no case), or null. */
export function doiIn(texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    const found = DOI.exec(text ?? '')?.[0]
    if (found) return found.toLowerCase().replace(/[.,;:)\]]+$/, '')
  }
  return null
}

/** A DOI in the address of an article: doi.org, arXiv, which has one for each paper, or a publisher's path that is built of it. */
export function doiOfLink(link: string): string | null {
  const url = URL.parse(link)
  if (!url) return null
  const path = decode(url.pathname)
  if (/(^|\.)doi\.org$/.test(url.hostname)) return doiIn([path.slice(1)])
  const arxiv = /(^|\.)arxiv\.org$/.test(url.hostname) ? ARXIV.exec(path)?.[1] : undefined
  if (arxiv) return `10.48550/arxiv.${arxiv.toLowerCase()}`
  return /\/doi\//.test(path) ? doiIn([path.replace(/\/(?:full|abstract|pdf|epdf)$/, '')]) : null
}

/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(?:utm_.*|dgcid|wt_.*|rss|af|source|ref|fbclid|gclid|mc_cid|mc_eid|cmpid|xtor|ftag)$/i

/** An address without what does not matter to which page it is: scheme, www, tracking, fragment, last slash. */
export function normalLink(link: string): string | null {
  const url = URL.parse(link)
  if (!url) return null
  const kept = [...url.searchParams].filter(([name]) => !TRACKING.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const search = new URLSearchParams(kept).toString()
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

/** A key that fits into an index of the database: itself, or the fingerprint of a longer one. */
export function bounded(key: string): string {
  if (Buffer.byteLength(key) <= MOST_BYTES) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}
