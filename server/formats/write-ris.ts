import type { CslDate } from '#shared/contract/references.ts'
import { isoDate, yearOf } from '#shared/references/dates.ts'
import {
  dateColumns,
  inOneLine,
  isPlainDate,
  keywordsAndTags,
  listedName,
  nameValues,
  notesOf,
  pagesOf,
  textValues,
  withSharedFields,
  type ExportItem,
} from './export-item.ts'
import { risType } from './reference-types.ts'
import { RIS_NAMES, RIS_TEXT } from './ris-fields.ts'

/** Writes references as RIS records, with CRLF at the ends of lines. */
export function* writeRis(items: Iterable<ExportItem>): Generator<string> {
  for (const item of items) {
    const lines = fieldsOf(item).flatMap(([tag, value]) => (value ? [`${tag}  - ${inOneLine(value)}`] : []))
    yield `TY  - ${risType(item.reference.type)}\r\n${lines.join('\r\n')}\r\nER  - \r\n\r\n`
  }
}

function fieldsOf(item: ExportItem): [tag: string, value: string | undefined][] {
  const reference = withSharedFields(item)
  const [first, last] = pagesOf(reference)
  return [
    ['TI', reference.title],
    ['T2', reference['container-title']],
    ...nameValues(reference, RIS_NAMES, listedName),
    ...issuedFields(reference.issued),
    ...textValues(reference, RIS_TEXT),
    ['SP', first],
    ['EP', last],
    ['M3', reference.genre],
    ['DO', reference.DOI],
    ...(reference.PMID
      ? ([
          ['AN', reference.PMID],
          ['DB', 'PubMed'],
        ] as [string, string][])
      : // Zotero reads the place in an archive from the accession number.
        [['AN', reference.archive && reference.archive_location] as [string, string | undefined]]),
    ['DB', reference.archive],
    ['C2', reference.PMCID],
    ['SN', reference.ISBN],
    ['SN', reference.ISSN],
    ['UR', reference.URL],
    ['Y2', reference.accessed && slashes(reference.accessed)],
    ...keywordsAndTags(item).map((word): [string, string] => ['KW', word]),
    ...notesOf(item).map((note): [string, string] => ['N1', note]),
  ]
}

function issuedFields(date: CslDate | undefined): [string, string][] {
  const year = yearOf(date)
  if (!date || year === undefined) return date ? [['PY', isoDate(date)]] : []
  const isYear = isPlainDate(date) && date['date-parts']![0]!.length === 1
  return [['PY', String(year)], ...(isYear ? [] : ([['DA', slashes(date)]] as [string, string][]))]
}

/**
 * Returns a date as 'yyyy/MM/dd/'. A range or an uncertain date is written as in ISO 8601, because RIS has no format for it.
 */
const slashes = (date: CslDate) => (isPlainDate(date) ? `${dateColumns(date).join('/')}/` : isoDate(date))
