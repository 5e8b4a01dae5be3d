import { TAG_MAX, TAGS_MAX } from '#shared/contract/document-edits.ts'
import { doiText } from '#shared/contract/doi.ts'
import { CSL_NAME_FIELDS, CSL_TEXT_FIELDS, type CslName, type Reference } from '#shared/contract/references.ts'
import {
  LONG_TEXT_MAX,
  LONG_TEXTS,
  NAME_PART_MAX,
  NAMES_MAX,
  PMCID_MAX,
  TEXT_MAX,
} from '#shared/contract/reference-edits.ts'
import { CITATION_KEY_MAX } from '#shared/references/citation-key.ts'
import { storable, storableText } from '#shared/text/storable-text.ts'
import type { EarlierDecision } from './read-record.ts'

/**
 * Maximum size of `custom`, in bytes of JSON. If it is exceeded, the first fields of `custom` are dropped. The stored text of
 * the record still contains them.
 */
const CUSTOM_MAX = 64 * 1024

/**
 * Returns a reference that the database can store, with a bare DOI, and with values truncated to the limits of the reference
 * form. The stored text of the record has the full values. A screening decision from an earlier tool (`decision`) is stored in
 * `custom`.
 */
export function boundedReference(source: Reference, decision?: EarlierDecision): Reference {
  const item: Reference = storable(source)
  for (const field of CSL_TEXT_FIELDS) {
    const text = item[field]
    if (text !== undefined) item[field] = clipped(text, LONG_TEXTS.has(field) ? LONG_TEXT_MAX : TEXT_MAX)
  }
  for (const field of CSL_NAME_FIELDS) {
    const names = item[field]
    if (names) item[field] = names.slice(0, NAMES_MAX).map(boundedName)
  }
  if (item.DOI) item.DOI = doiText(item.DOI)
  if (item.PMCID) item.PMCID = clipped(item.PMCID, PMCID_MAX)
  if (item['citation-key']) item['citation-key'] = clipped(item['citation-key'].trim(), CITATION_KEY_MAX)
  delete item.id
  const custom = { ...item.custom, ...(decision && { 'earlier-decision': decision }) }
  if (Object.keys(custom).length > 0) item.custom = boundedCustom(custom)
  return item
}

/**
 * Returns the tags without duplicates and empty tags. Truncates each tag to TAG_MAX characters, and the list to TAGS_MAX tags.
 */
export const boundedTags = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => clipped(storableText(name).trim(), TAG_MAX).trim()))]
    .filter(Boolean)
    .slice(0, TAGS_MAX)

const clipped = (text: string, max: number) => (text.length > max ? text.slice(0, max).toWellFormed() : text)

const boundedName = (name: CslName): CslName =>
  Object.fromEntries(Object.entries(name).map(([part, text]) => [part, clipped(text, NAME_PART_MAX)]))

function boundedCustom(custom: Record<string, unknown>): Record<string, unknown> {
  const entries: [string, unknown][] = []
  let bytes = 0
  for (const [name, value] of Object.entries(custom).toReversed()) {
    bytes += Buffer.byteLength(JSON.stringify([name, value]))
    if (bytes > CUSTOM_MAX) break
    entries.unshift([name, value])
  }
  return Object.fromEntries(entries)
}
