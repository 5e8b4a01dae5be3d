import { stringify } from 'csv-stringify/sync'
import { harmlessCell } from '#server/lib/csv-cell.ts'
import type { CslName, Reference } from '#shared/contract/references.ts'
import { isoDate, yearOf } from '#shared/references/dates.ts'
import { CSV_NAMES, type CsvField } from './csv-columns.ts'
import { keywordList, keywordsAndTags, listedName, type ExportItem, type WriteOptions } from './export-item.ts'

const NOT_WRITTEN = new Set<CsvField>(['month', 'day', 'included', 'exclusion-reason'])
const COLUMNS = CSV_NAMES.filter(([field]) => !NOT_WRITTEN.has(field))
const DECISION = ['decision', 'stage', 'exclusion reason']

/**
 * Writes references as CSV. Writes the header only if `isFirst` is true: for the first part of a file. Writes the columns of a
 * screening decision only if the first item has one.
 */
export function* writeCsv(items: Iterable<ExportItem>, { isFirst = true }: WriteOptions = {}): Generator<string> {
  let withDecisions: boolean | undefined
  for (const item of items) {
    if (withDecisions === undefined) {
      withDecisions = item.decision !== undefined
      if (isFirst) yield stringify([[...COLUMNS.map(([, name]) => name), ...(withDecisions ? DECISION : [])]])
    }
    const { value, stage, reason } = item.decision ?? {}
    const cells = COLUMNS.map(([field]) => cellOf(item, field))
    yield stringify([
      [...cells, ...(withDecisions ? [value, stage, reason] : [])].map((cell) => harmlessCell(cell ?? '')),
    ])
  }
}

function cellOf(item: ExportItem, field: CsvField): string | undefined {
  const { reference } = item
  switch (field) {
    case 'type':
      // Other programs write 'article' for an article in a journal. CSL means a preprint.
      return reference.type === 'article' ? 'preprint' : reference.type
    case 'author':
    case 'editor':
    case 'translator':
    case 'collection-editor':
    case 'container-author':
      return namesOf(reference[field])
    case 'year':
      return yearOf(reference.issued)?.toString()
    case 'issued':
    case 'accessed':
      return reference[field] && isoDate(reference[field])
    case 'keyword':
      return keywordList(keywordsAndTags(item))
    case 'note':
      return [reference.note, ...(item.notes ?? [])].filter(Boolean).join('\n')
    default:
      return reference[field as keyof Reference] as string | undefined
  }
}

/**
 * Joins names with semicolons. The list also ends with a semicolon if it has a single name, because a reader would take the
 * comma of 'García Márquez, Gabriel José' as the separator of two names, or if a name is literal or has no given name, because
 * a reader would parse it as 'Given Family'.
 */
function namesOf(names: readonly CslName[] = []): string {
  const all = names.map(listedName).join('; ')
  const isAmbiguous = names.length === 1 || names.some((name) => name.literal !== undefined || name.given === undefined)
  return isAmbiguous ? `${all};` : all
}
