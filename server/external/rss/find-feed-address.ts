import { AppError } from '#server/lib/errors.ts'
import { decodeText } from '#shared/text/decode-text.ts'
import { bytesOf, getForFeed } from './fetch-feed.ts'
import { parseBytes } from './parse-pool.ts'

// Excludes `<`: a page with many unclosed `<link` would otherwise take quadratic time.
const LINK = /<link\b[^<>]{0,2000}>/gi
/** Maximum number of feed links tried per page. A hostile page could contain thousands, to flood another site with requests. */
const MOST_TRIED = 5
const FEED_TYPE = /^(?:application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)|text\/xml|application\/xml)\b/i

/**
 * Returns the address of a feed: the given one, or the first working feed that the page at this address links to.
 * Throws an AppError when there is none, or when the page or its feeds cannot be read.
 */
export async function findFeedAddress(address: string): Promise<string> {
  const first = await read(address)
  if (await isFeed(first)) return address
  let tried = 0
  const failures: AppError[] = []
  const html = decodeText(first.bytes, first.contentType).slice(0, 500_000)
  for (const [tag] of html.matchAll(LINK)) {
    const href = attribute(tag, 'href')
    if (!/(?:^|\s)alternate(?:\s|$)/i.test(attribute(tag, 'rel') ?? '') || !href) continue
    if (!FEED_TYPE.test(attribute(tag, 'type') ?? '')) continue
    const found = URL.parse(href, first.url)
    if (!found) continue
    if (++tried > MOST_TRIED) break
    const answer = await read(found.href).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      failures.push(error)
    })
    if (answer && (await isFeed(answer))) return found.href
  }
  if (failures[0]) throw failures[0]
  throw new AppError('refused', 'No feed was found at this address.', { fields: { url: 'No feed was found here' } })
}

async function read(address: string) {
  const response = await getForFeed(address)
  if (response.status !== 200) {
    await response.body.cancel()
    throw new AppError('outside_failed', `The site answered with the status ${response.status}.`)
  }
  const contentType = response.headers.get('content-type') ?? ''
  return { bytes: await bytesOf(response.body), contentType, url: response.url }
}

/** Returns true if the bytes parse as a feed. */
async function isFeed({ bytes, contentType, url }: Awaited<ReturnType<typeof read>>): Promise<boolean> {
  return parseBytes({ bytes, contentType, address: url }).then(
    () => true,
    () => false,
  )
}

const attribute = (tag: string, name: string) =>
  new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i')
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)
    ?.replaceAll('&amp;', '&')
