import { parseOpml } from 'feedsmith'

/** A feed in an OPML file. */
export interface NamedFeed {
  address: string
  name: string
}

interface Outline {
  text?: string
  title?: string
  xmlUrl?: string
  outlines?: Outline[]
}

/** Returns every feed in an OPML file, from all folders, without duplicates. Throws when the file cannot be read. */
export function readOpml(text: string): NamedFeed[] {
  if (/<!ENTITY/i.test(text)) throw new Error('The file declares XML entities, which are not supported.')
  const found = new Map<string, string>()
  const visit = (outlines: readonly Outline[] = []) => {
    for (const one of outlines) {
      const url = one.xmlUrl ? URL.parse(webAddress(one.xmlUrl.trim())) : null
      if (url && !found.has(url.href)) found.set(url.href, (one.title ?? one.text ?? '').trim() || url.host)
      visit(one.outlines)
    }
  }
  visit(parseOpml(text).body?.outlines)
  return [...found].map(([address, name]) => ({ address, name: name.slice(0, 500) }))
}

/** Converts the addresses `feed://site/…` and `feed:https://site/…`, which some feed readers write, to http or https. */
const webAddress = (address: string) => address.replace(/^feed:(?=https?:)/i, '').replace(/^feed:\/\//i, 'http://')
