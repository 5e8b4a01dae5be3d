import { z } from 'zod'
import { boundedReference, boundedTags, cutRaw, readReferences } from '#server/formats/index.ts'
import type { Reference } from '#shared/contract/references.ts'
import { arxivId } from '#shared/references/identifiers.ts'

/** An item of Zotero as the synchronization uses it. */
export interface ZoteroItem {
  key: string
  version: number
  collections: string[]
  /** True if the item is in the trash of Zotero. */
  isDeleted: boolean
  hasChildren: boolean
  /** The address of the item's web page at Zotero. */
  address: string | null
  tags: string[]
  /** Undefined for an item that is no reference, and for one that cannot be read. */
  reference?: Reference
  /** The reason why `reference` is undefined. */
  reason?: string
  /** True for a note or another item that is not a reference. */
  isSkipped: boolean
  /** True for a PDF without a parent item. */
  isFile: boolean
  /** The JSON of the item as Zotero returned it, truncated to 64 kB. */
  raw: string
}

const itemWire = z.object({
  key: z.string().regex(/^[A-Za-z0-9]{1,32}$/),
  version: z.number().int(),
  links: z.object({ alternate: z.object({ href: z.string() }).optional() }).optional(),
  meta: z.object({ numChildren: z.union([z.number(), z.literal(false)]).optional() }).optional(),
  csljson: z.record(z.string(), z.unknown()).optional(),
  data: z
    .object({
      itemType: z.string(),
      title: z.string().optional(),
      extra: z.string().optional(),
      citationKey: z.string().optional(),
      linkMode: z.string().optional(),
      contentType: z.string().nullish(),
      filename: z.string().nullish(),
      deleted: z.union([z.number(), z.boolean()]).optional(),
      collections: z.array(z.string()).default([]),
      tags: z.array(z.object({ tag: z.string() })).default([]),
    })
    .loose(),
})
type WireItem = z.output<typeof itemWire>

/** Fields that Zotero users write into 'Extra', one per line (https://www.zotero.org/support/kb/item_types_and_fields). */
const EXTRA: Readonly<Record<string, 'PMID' | 'PMCID' | 'DOI' | 'citation-key' | 'original-title'>> = {
  pmid: 'PMID',
  pmcid: 'PMCID',
  doi: 'DOI',
  'citation key': 'citation-key',
  'original title': 'original-title',
}
/** Maximum length of a line of 'Extra' that is read as a field, in characters. A longer line belongs to the note. */
const EXTRA_LINE_MAX = 1000
const EXTRA_LINE = /^([A-Za-z ]+?)\s*:\s*(\S.*?)\s*$/
/** Matches a web address. Other addresses are dropped, because the address of an item is shown as a link. */
const WEB_ADDRESS = /^https?:\/\//i

/**
 * Parses a page of items from JSON. Throws for a page that does not follow the protocol of Zotero. An item that cannot be read
 * has a `reason`.
 */
export const readItemPage = (text: string): ZoteroItem[] => z.array(itemWire).parse(JSON.parse(text)).map(itemOf)

function itemOf(wire: WireItem): ZoteroItem {
  const { key, version, links, meta, csljson, data } = wire
  const address = links?.alternate?.href
  const isPdf = data.itemType === 'attachment' && data.contentType === 'application/pdf'
  const item: ZoteroItem = {
    key,
    version,
    collections: data.collections,
    isDeleted: Boolean(data.deleted),
    hasChildren: Boolean(meta?.numChildren ?? true),
    address: address !== undefined && WEB_ADDRESS.test(address) ? address : null,
    tags: boundedTags(data.tags.map(({ tag }) => tag)),
    isFile: isPdf,
    isSkipped: false,
    raw: cutRaw(JSON.stringify({ key, version, data }, null, 2)),
  }
  if (isPdf)
    return {
      ...item,
      hasChildren: false,
      reference: boundedReference({ type: 'document', title: titleOfFile(data.title, data.filename) }),
    }
  if (['attachment', 'note', 'annotation'].includes(data.itemType))
    return {
      ...item,
      isSkipped: true,
      reason: data.itemType === 'note' ? 'This item is a note.' : 'This item is a file without a reference.',
    }
  const [found] = readReferences(JSON.stringify([withExtra(csljson ?? {}, data)]), 'csl-json')
  return {
    ...item,
    ...(found?.reference ? { reference: boundedReference(found.reference) } : { reason: found?.reason ?? 'No data.' }),
  }
}

/**
 * Returns the CSL-JSON of an item. Its id is replaced by the citation key, and the fields that users have written into 'Extra'
 * are added.
 */
function withExtra(
  csljson: Record<string, unknown>,
  { extra, citationKey }: WireItem['data'],
): Record<string, unknown> {
  const { id: _, note, ...fields } = csljson
  const rest: string[] = []
  const found: Record<string, string> = {}
  for (const line of (extra ?? (typeof note === 'string' ? note : '')).split('\n')) {
    const [, name = '', value = ''] = (line.length <= EXTRA_LINE_MAX && EXTRA_LINE.exec(line)) || []
    const field = EXTRA[name.toLowerCase()]
    const arxiv = name.toLowerCase() === 'arxiv' ? arxivId(value) : undefined
    if (field) found[field] ??= value
    else if (arxiv) Object.assign(found, { archive: 'arXiv', archive_location: arxiv })
    else rest.push(line)
  }
  const key = citationKey ?? found['citation-key']
  return { ...found, ...fields, ...(key ? { 'citation-key': key } : {}), note: rest.join('\n').trim() }
}

const titleOfFile = (title: string | undefined, filename: string | null | undefined) =>
  (title?.trim() || filename?.trim() || 'PDF').replace(/\.pdf$/i, '')
