import {
  CSL_DATE_FIELDS,
  CSL_NAME_FIELDS,
  CSL_TEXT_FIELDS,
  CSL_TYPES,
  cslDate,
  cslName,
  reference,
  type CslDate,
  type Reference,
} from '#shared/contract/references.ts'
import { parseDate } from '#shared/references/dates.ts'
import { anyOrder } from '#shared/references/names.ts'
import { addCustom, addKeywordList, addKeywords } from './draft.ts'
import { readRecord, RecordError, type RawRecord, type ReadRecord } from './read-record.ts'

const TEXT_FIELDS = new Set<string>(CSL_TEXT_FIELDS)
const NAME_FIELDS = new Set<string>(CSL_NAME_FIELDS)
const DATE_FIELDS = new Set<string>(CSL_DATE_FIELDS)
const TYPES = new Set<string>(CSL_TYPES)

/** Reads CSL-JSON: a list of items, `{"items": […]}` as Zotero writes it, or one item. */
export function* readCslJson(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of objectsOf(text))
    yield readRecord(record, ++position, () => {
      if (!record.raw.endsWith('}')) throw new RecordError(record.line, 'no closing brace')
      const item = JSON.parse(record.raw) as Record<string, unknown>
      if (isDeeper(item, MAX_DEPTH)) throw new RecordError(record.line, 'the values are nested too deeply')
      return { reference: toReference(item) }
    })
}

/** Maximum nesting depth of objects and lists in an item. Dates need a depth of four. */
const MAX_DEPTH = 20

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((one) => isDeeper(one, most - 1)))

/**
 * Yields the text of each outermost JSON object, which is one item. The items are parsed separately, so that an error in one
 * item does not affect the others.
 */
function* objectsOf(text: string): Generator<RawRecord> {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}\n]/gs
  // Zotero writes the items inside an object.
  const wrapper = /^\s*\{\s*"items"\s*:\s*\[/.exec(text)
  token.lastIndex = wrapper?.[0].length ?? 0
  let depth = 0
  let start = 0
  let line = 1
  let startLine = 1
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [char] = found
    if (char === '\n') line++
    else if (char === '{' && depth++ === 0) [start, startLine] = [found.index, line]
    else if (char === '}' && depth > 0 && --depth === 0)
      yield { line: startLine, raw: text.slice(start, token.lastIndex) }
    else if (char.length > 1 && char.includes('\n')) line += char.split('\n').length - 1
  }
  if (depth > 0) yield { line: startLine, raw: text.slice(start) }
}

const asText = (value: unknown) =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined

function toReference(source: Record<string, unknown>): Reference {
  const type = asText(source['type']) ?? ''
  const item: Record<string, unknown> = { type: TYPES.has(type) ? type : 'document' }
  const draft = item as Reference
  for (const [name, value] of Object.entries(source)) {
    if (name === 'type' || name === 'id') continue
    const text = asText(value)
    const isKnown = TEXT_FIELDS.has(name) || NAME_FIELDS.has(name) || DATE_FIELDS.has(name)
    if (name === 'keyword' && Array.isArray(value)) addKeywords(draft, value.map(String))
    else if (name === 'keyword') addKeywordList(draft, text ?? '')
    else if (TEXT_FIELDS.has(name) && text?.trim()) item[name] = text.replaceAll('\0', '')
    else if (NAME_FIELDS.has(name) && Array.isArray(value)) item[name] = value.flatMap((one) => nameOf(one) ?? [])
    else if (DATE_FIELDS.has(name)) item[name] = dateOf(value)
    else if (name === 'custom' && value !== null && typeof value === 'object')
      Object.assign((draft.custom ??= {}), value)
    else if (!isKnown && value !== null && value !== '') addCustom(draft, name, [value as string])
  }
  // The id of an item in its file becomes the citation key. The id of a paper comes from the database.
  const key = draft['citation-key'] ?? asText(source['id'])
  if (key) item['citation-key'] = key
  return reference.parse(item)
}

function nameOf(value: unknown) {
  if (typeof value === 'string') return anyOrder(value)
  const name = cslName.safeParse(value).data
  return name && Object.values(name).some(Boolean) ? name : undefined
}

function dateOf(value: unknown): CslDate | undefined {
  const text = asText(value)
  if (text !== undefined) return parseDate(text)
  const source = value as { 'date-parts'?: unknown; raw?: unknown; season?: unknown; circa?: unknown }
  const parts = Array.isArray(source?.['date-parts'])
    ? source['date-parts'].flatMap((part: unknown) => {
        const numbers = [part]
          .flat()
          .map(Number)
          .filter((one) => Number.isInteger(one) && one !== 0)
          .slice(0, 3)
        return numbers.length > 0 ? [numbers] : []
      })
    : []
  const season = Number(source?.season)
  const date = cslDate.safeParse({
    ...source,
    'date-parts': parts.length > 0 ? parts.slice(0, 2) : undefined,
    season: season >= 1 && season <= 4 ? season : undefined,
    circa: source?.circa ? true : undefined,
  }).data
  const known = date && Object.fromEntries(Object.entries(date).filter(([, part]) => part !== undefined))
  return known && Object.keys(known).length > 0
    ? known.raw && !date['date-parts']
      ? parseDate(date.raw!)
      : known
    : undefined
}
