import { parse, type Entry } from '@retorquere/bibtex-parser'
import { anyOrder } from '#shared/references/names.ts'
import { prepareEntry } from './bibtex-case.ts'
import { bibtexEntries, fieldsOfEntry, type BibtexEntry } from './bibtex-entries.ts'
import { toReference, valuesOfEntry } from './bibtex-fields.ts'
import { groupsByKey, groupsOfField } from './bibtex-groups.ts'
import { readRecord, RecordError, type ReadRecord } from './read-record.ts'

/** Number of entries that are parsed together. Parsing them takes about half a second. */
const SLICE = 100
const INHERITED = /\b(?:crossref|xdata)\s*=\s*[{"]?([^{}"]+)/gi
const NO_ENTRY = /^(?:string|preamble|comment)$/

/**
 * Reads BibTeX and BibLaTeX. Entries are parsed in groups of 100, together with the entries from which they inherit fields. If
 * the parser refuses an entry, its fields are read as plain text without interpretation of LaTeX.
 */
export function* readBibtex(text: string): Generator<ReadRecord> {
  const all = [...bibtexEntries(text)]
  const entries = all.filter(({ type }) => !NO_ENTRY.test(type))
  const strings = all.filter(({ type }) => type === 'string').map(({ raw }) => raw)
  const groups = groupsByKey(all.filter(({ type }) => type === 'comment').map(({ raw }) => raw))
  const byKey = new Map(entries.map((entry) => [keyOf(entry).toLowerCase(), entry]))
  for (let from = 0; from < entries.length; from += SLICE) {
    const slice = entries.slice(from, from + SLICE)
    const parsed = parseSlice(slice, byKey, strings)
    for (const [index, entry] of slice.entries())
      yield readRecord(entry, from + index + 1, () => {
        if (entry.error) throw new RecordError(entry.error.line, entry.error.what)
        const found = parsed[index] ?? withoutLatex(entry)
        const values = valuesOfEntry(found)
        const key = found.key.trim()
        const tags = [...new Set([...groupsOfField(values.get('groups')), ...(groups.get(key) ?? [])])]
        const reference = toReference(entry.type, key, values, found.fields)
        return { reference, ...(tags.length > 0 && { tags }) }
      })
  }
}

/** Returns the number of entries without parsing them, and whether the file has groups of JabRef. */
export function inspectBibtex(text: string): { count: number; hasGroups: boolean } {
  let count = 0
  for (const { type } of bibtexEntries(text)) if (!NO_ENTRY.test(type)) count++
  return { count, hasGroups: /jabref-meta:\s*group|^\s*groups\s*=/im.test(text) }
}

const keyOf = ({ raw, bodyStart }: BibtexEntry) => /^[^,=})]*/.exec(raw.slice(bodyStart, bodyStart + 300))![0].trim()

/**
 * Parses all entries of a slice together, or each entry separately if one of them has an error. The result is undefined for an
 * entry that cannot be parsed.
 */
function parseSlice(slice: BibtexEntry[], byKey: Map<string, BibtexEntry>, strings: string[]): (Entry | undefined)[] {
  const good = slice.filter(({ error }) => !error)
  const together = tryParse(good, byKey, strings)
  const parsed = new Map(
    good.map((entry, index) => [entry, together?.[index] ?? tryParse([entry], byKey, strings)?.[0]]),
  )
  return slice.map((entry) => parsed.get(entry))
}

function tryParse(entries: BibtexEntry[], byKey: Map<string, BibtexEntry>, strings: string[]): Entry[] | undefined {
  const texts = [...strings, ...entries.map(prepareEntry), ...parentsOf(entries, byKey).map(({ raw }) => raw)]
  try {
    const found = parse(texts.join('\n\n'), { sentenceCase: false, unsupported: 'ignore' })
    inherit(found.entries)
    const own = found.entries.slice(0, entries.length)
    const isSame = own.every((entry, index) => entry.type === entries[index]!.type)
    return own.length === entries.length && isSame && found.errors.length === 0 ? own : undefined
  } catch {
    return undefined
  }
}

/** Fields that the parser does not copy from the entry in `crossref`. */
const FROM_CROSSREF = new Set(['date', 'publisher', 'location', 'address', 'series'])

/**
 * Completes entries that inherit fields. Copies the fields of the entries that `xdata` refers to, which the parser does not
 * support, and those fields of the entry in `crossref` that the parser does not copy.
 */
function inherit(entries: readonly Entry[]): void {
  const byKey = new Map(entries.map((entry) => [entry.key.toLowerCase(), entry]))
  const parentOf = (key: string) => byKey.get(key.trim().toLowerCase())
  const copy = (entry: Entry, parent: Entry | undefined, copies: (name: string) => boolean) => {
    const hasDate = 'year' in entry.fields || 'date' in entry.fields
    for (const [name, value] of Object.entries(parent?.fields ?? {}))
      if (!(name in entry.fields) && copies(name) && !(name === 'date' && hasDate))
        Object.assign(entry.fields, { [name]: value })
  }
  for (const entry of entries)
    for (const key of entry.fields['xdata']?.split(',') ?? []) copy(entry, parentOf(key), () => true)
  for (const entry of entries)
    if (entry.fields['crossref']) copy(entry, parentOf(entry.fields['crossref']), (name) => FROM_CROSSREF.has(name))
}

/** Returns the entries outside the slice from which entries of the slice inherit, directly or indirectly. */
function parentsOf(slice: BibtexEntry[], byKey: Map<string, BibtexEntry>): BibtexEntry[] {
  const known = new Set(slice)
  const parents: BibtexEntry[] = []
  for (const queue = [...slice]; queue.length > 0;) {
    const { raw } = queue.pop()!
    const keys = [...raw.matchAll(INHERITED)].flatMap(([, keys = '']) => keys.split(','))
    for (const key of keys) {
      const parent = byKey.get(key.trim().toLowerCase())
      if (!parent || parent.error || known.has(parent)) continue
      known.add(parent)
      parents.push(parent)
      queue.push(parent)
    }
  }
  return parents
}

/** Returns the fields of an entry with their text in the file, without braces. */
function withoutLatex(entry: BibtexEntry): Entry {
  const { key, fields } = fieldsOfEntry(entry)
  const values: Record<string, string> = {}
  for (const { name, start, end } of fields) {
    const value = entry.raw.slice(start, end).replaceAll(/[{}]/g, '')
    values[name] = (values[name] ?? '') + value
  }
  const found: Entry = { type: entry.type, key, input: entry.raw, mode: {}, fields: { ...values } }
  for (const name of ['author', 'editor', 'translator', 'bookauthor'] as const)
    if (values[name]) found.fields[name] = namesOf(values[name])
  return found
}

function namesOf(value: string) {
  return value.split(/\s+and\s+/).flatMap((text) => {
    const name = anyOrder(text)
    return name
      ? [
          {
            ...name,
            lastName: name.family,
            firstName: name.given,
            prefix: name['non-dropping-particle'],
            name: name.literal,
          },
        ]
      : []
  })
}
