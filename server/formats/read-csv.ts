import { CsvError, type Options, parse } from 'csv-parse/sync'
import { originalCell } from '#server/lib/csv-cell.ts'
import { CSL_TYPES, type CslName, type Reference } from '#shared/contract/references.ts'
import { isoDate, yearAndMonth } from '#shared/references/dates.ts'
import { isFamilyFirst } from '#shared/references/listed-names.ts'
import { anyOrder, familyFirst, initialsLast } from '#shared/references/names.ts'
import { CSV_NAME_FIELDS, CSV_NAMES, matchColumns, type CsvColumns, type CsvField } from './csv-columns.ts'
import { addCustom, addKeywordList, addNotes, setDate, setDoi, setPages, setSerialNumbers, setText } from './draft.ts'
import { decisionInNotes, labelledDecision } from './earlier-decisions.ts'
import { readRecord, RecordError, type EarlierDecision, type ReadRecord } from './read-record.ts'
import { readType, type CslType } from './reference-types.ts'

interface ParsedRow {
  record: string[]
  raw: string
  /** The number of the last line of the row, from 1, and the offset of its end in bytes of UTF-8. */
  info: { lines: number; bytes: number }
  /** True if the row is one line with a quotation mark that is never closed. */
  isUnclosed?: true
}

/**
 * Reads CSV with commas, semicolons or tabs. `chosen` has the columns that a user assigned to fields; without it, columns are
 * assigned by their names.
 */
export function* readCsv(text: string, chosen?: CsvColumns): Generator<ReadRecord> {
  const rows = parseRows(text, optionsFor(text))
  const header = rows[0]?.record ?? []
  const columns = chosen ?? matchColumns(header)
  let line = (rows[0]?.info.lines ?? 0) + 1
  for (const [index, { record, raw, info, isUnclosed }] of rows.slice(1).entries()) {
    const start = isUnclosed ? info.lines : line
    yield readRecord({ line: start, raw }, index + 1, () => {
      if (isUnclosed) throw new RecordError(start, 'a quotation mark is not closed')
      return readRow(record, columns, header)
    })
    line = info.lines + 1
  }
}

/** Returns the cells of the first `rows` rows of a CSV file, including the row with the column names. */
export const readCsvRows = (text: string, rows: number): string[][] =>
  parseRows(text, { ...optionsFor(text), to: rows })
    .slice(0, rows)
    .map(({ record }) => record)

/**
 * Parses the rows of a CSV file. A quotation mark that begins a cell and is the last one of the file would make one cell of the
 * rest: its line then becomes a row of its own, and the lines after it are parsed.
 */
function parseRows(text: string, options: Options): ParsedRow[] {
  const read = (part: string, limit: Options = {}) =>
    parse(part, { ...options, ...limit, info: true, raw: true }) as unknown as ParsedRow[]
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    const count = Number(error['records'])
    const rows = count > 0 ? read(text, { to: count }) : []
    const { lines, bytes } = rows.at(-1)?.info ?? { lines: 0, bytes: 0 }
    const left = Buffer.from(text).subarray(bytes).toString()
    const [line, raw = ''] = /^[\r\n]*([^\r\n]*)(?:\r\n?|\n)?/.exec(left)!
    const end = lines + line.trimEnd().split(/\r\n?|\n/).length
    const later = read(left.slice(line.length)).map((row) => ({
      ...row,
      info: { ...row.info, lines: end + row.info.lines },
    }))
    return [...rows, { record: [raw], raw, info: { lines: end, bytes: 0 }, isUnclosed: true }, ...later]
  }
}

const optionsFor = (text: string): Options => ({
  delimiter: delimiterOf(text),
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
})

/** Returns the separator that is most frequent in the first line. */
function delimiterOf(text: string): string {
  const first = text.slice(0, 65_536).split(/[\r\n]/, 1)[0]!
  return [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!
}

/**
 * The CSL type for each item type of Zotero and other programs. The names of the item types are in lower case without spaces.
 * An 'Article' or a 'Review' of Scopus is in a journal.
 */
const TYPES: Record<string, CslType> = {
  journalarticle: 'article-journal',
  article: 'article-journal',
  review: 'article-journal',
  magazinearticle: 'article-magazine',
  newspaperarticle: 'article-newspaper',
  booksection: 'chapter',
  bookchapter: 'chapter',
  conferencepaper: 'paper-conference',
  computerprogram: 'software',
  blogpost: 'post-weblog',
  preprint: 'article',
  encyclopediaarticle: 'entry-encyclopedia',
  dictionaryentry: 'entry-dictionary',
}

function typeOf(name: string, hasJournal: boolean): CslType {
  const key = name.toLowerCase().replaceAll(/[\s_-]+/g, '')
  if (!key) return hasJournal ? 'article-journal' : 'document'
  const known = TYPES[key] ?? readType('endnote', name) ?? readType('ris', name)
  return writtenType(name) ?? known ?? writtenType(name.toLowerCase()) ?? 'document'
}

/** Returns the type that `writeCsv` writes as `name`. It writes the CSL type 'article' as 'preprint'. */
const writtenType = (name: string) => CSL_TYPES.find((type) => type !== 'article' && type === name)

/**
 * Reads the names in a list of authors, in any of these forms: 'A, B; C, D', 'A, B and C, D', 'Smith JA, Jones B', 'John Smith,
 * Jane Doe and Bob Lee' and 'García Márquez, José'.
 */
export function authorsOf(text: string): CslName[] {
  const read = (parts: string[], one: (name: string) => CslName | undefined) => parts.flatMap((part) => one(part) ?? [])
  if (/;\s*$/.test(text)) return read(text.split(';'), familyFirst)
  if (/[;|]/.test(text)) return read(text.split(/[;|]/), anyOrder)
  const segments = text.split(/,? and /)
  const areFamilyFirst = segments.length > 1 && segments.every((segment) => segment.split(',').length === 2)
  return segments.flatMap((segment) => {
    const parts = segment
      .replace(/\.$/, '')
      .split(/\s*,\s*/)
      .filter(Boolean)
    const all = parts.map(initialsLast)
    if (parts.length > 0 && all.every((name) => name !== undefined)) return all
    const areWhole = parts.length > 1 && parts.every((part) => part.includes(' '))
    return read(areWhole && !areFamilyFirst && !isFamilyFirst(parts) ? parts : [segment], anyOrder)
  })
}

const TEXT = CSV_NAMES.map(([field]) => field)
const OTHER = new Set<CsvField>(
  [...CSV_NAME_FIELDS, 'year', 'issued', 'month', 'day', 'accessed', 'type', 'included', 'exclusion-reason'].concat([
    'keyword',
    'note',
    'DOI',
    'page',
    'ISBN',
    'ISSN',
  ]) as CsvField[],
)

function readRow(row: readonly string[], columns: CsvColumns, header: readonly string[]) {
  const value = (field: CsvField) => originalCell(row[columns[field] ?? -1]?.trim() ?? '')
  const item: Reference = { type: typeOf(value('type'), value('container-title') !== '') }
  for (const field of TEXT) if (!OTHER.has(field)) setText(item, field as 'title', value(field))
  for (const field of CSV_NAME_FIELDS) {
    const names = authorsOf(value(field))
    if (names.length > 0) item[field] = names
  }
  const issued = yearAndMonth(value('year'), value('month'), value('day'))
  setDate(item, 'issued', value('issued'), issued && isoDate(issued))
  setDate(item, 'accessed', value('accessed'))
  setPages(item, value('page'), undefined)
  setDoi(item, [value('DOI')])
  setSerialNumbers(item, [value('ISBN'), value('ISSN')].filter(Boolean))
  addKeywordList(item, value('keyword'))
  addNotes(item, [value('note')].filter(Boolean))
  const used = new Set(Object.values(columns))
  for (const [at, cell] of row.entries())
    if (!used.has(at) && cell.trim() && header[at]) addCustom(item, header[at].trim(), [originalCell(cell.trim())])
  const decision = decisionOf(value('included'), value('exclusion-reason'), columns) ?? decisionInNotes([value('note')])
  return { reference: item, ...(decision && { decision }) }
}

function decisionOf(label: string, reason: string, columns: CsvColumns): EarlierDecision | undefined {
  const decision = columns.included === undefined ? undefined : labelledDecision(label)
  return decision && { ...decision, ...(reason && { reason }) }
}
