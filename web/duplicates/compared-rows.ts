import type { DuplicatePaper, JoinedField } from '#shared/contract/duplicates.ts'
import type { CslDate, Reference } from '#shared/contract/references.ts'
import { displayName } from '#shared/references/names.ts'
import { counted } from '#web/lib/dates.ts'
import { readable, typeLabel } from '#web/lib/reference-types.ts'

/**
 * A row of the comparison of suspected duplicates: the value of one field in each paper, or of a few related fields such as
 * volume and pages.
 */
export interface ComparedRow {
  label: string
  fields: JoinedField[]
  /** The shown values in the order of the papers; '' if a paper has no value. */
  values: string[]
  /** True if the papers have different values. */
  differs: boolean
  /** True if the words that differ between the values are highlighted. */
  byWords: boolean
  isTitle: boolean
}

const dateText = (date: CslDate | undefined) =>
  date?.['date-parts']?.map((parts) => parts.join('-')).join(' to ') ?? date?.literal ?? date?.raw ?? ''
const place = ({ volume, issue, page, number }: Reference) =>
  [`${volume ?? ''}${issue ? `(${issue})` : ''}`, page ?? number ?? ''].filter(Boolean).join(', ')
const words = (text: string | undefined) => (text ? counted(text.trim().split(/\s+/).length, 'word') : '')

type Shown = [label: string, fields: JoinedField[], text: (reference: Reference) => string, byWords?: boolean]
/** The main rows, shown if any paper has a value. The rows of other fields are shown only if the papers differ. */
const FIRST: Shown[] = [
  ['Title', ['title'], ({ title = '' }) => title, true],
  ['Authors', ['author'], ({ author = [] }) => author.map(displayName).join(', '), true],
  ['Type', ['type'], ({ type }) => typeLabel(type)],
  ['Published in', ['container-title'], (item) => item['container-title'] ?? '', true],
  ['Year', ['issued'], ({ issued }) => dateText(issued)],
  ['Volume, pages', ['volume', 'issue', 'page', 'number'], place, true],
  ['DOI', ['DOI'], ({ DOI = '' }) => DOI],
]
const ABSTRACT: Shown = ['Abstract', ['abstract'], ({ abstract }) => words(abstract)]
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'id',
  'citation-key',
  'custom',
  ...FIRST.flatMap(([, fields]) => fields),
  'abstract',
])

/** Returns the rows that compare the papers: the main fields, then all other fields whose values differ. */
export function comparedRows(papers: readonly DuplicatePaper[]): ComparedRow[] {
  const others = [...new Set(papers.flatMap(({ reference }) => Object.keys(reference)))]
    .filter((name): name is JoinedField => !NOT_SHOWN.has(name))
    .map((name): Shown => [readable(name), [name], (reference) => anyText(reference[name])])
  const rows = [...FIRST, ABSTRACT, ...others].map(([label, fields, text, byWords = false]) => {
    const raw = papers.map(({ reference }) => JSON.stringify(fields.map((field) => reference[field] ?? null)))
    const values = papers.map(({ reference }) => text(reference))
    const differs = new Set(raw).size > 1
    return { label, fields, values, differs, byWords, isTitle: fields[0] === 'title' }
  })
  const main = new Set(FIRST.map(([label]) => label))
  return rows.filter(({ label, differs, values }) => differs || (main.has(label) && values.some(Boolean)))
}

function anyText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.length > 300 ? `${value.slice(0, 300)}…` : value
  if (Array.isArray(value)) return (value as Parameters<typeof displayName>[0][]).map(displayName).join(', ')
  return dateText(value)
}

/**
 * Returns the id of the paper whose value is preselected in a row. It is the paper that stays (`keptId`), or the first paper
 * with a value if the paper that stays has none. For abstracts, it is the paper with the longest one, unless a user edited the
 * abstract of the paper that stays.
 */
export function defaultChoice(row: ComparedRow, papers: readonly DuplicatePaper[], keptId: string | null): string {
  const kept = papers.find(({ id }) => id === keptId) ?? papers[0]!
  const hasValue = (paper: DuplicatePaper) => row.fields.some((field) => paper.reference[field] !== undefined)
  if (row.fields[0] === 'abstract' && !kept.edited_fields.includes('abstract'))
    return papers.reduce(
      (best, one) => ((one.reference.abstract?.length ?? 0) > (best.reference.abstract?.length ?? 0) ? one : best),
      kept,
    ).id
  return (hasValue(kept) ? kept : (papers.find(hasValue) ?? kept)).id
}
