import type { CslDate, Reference } from '#shared/contract/references.ts'
import { buildReference, nameOfParts } from '../build-reference.ts'
import type { CrossrefWire } from './wire.ts'

/** The CSL type for each Crossref type (https://api.crossref.org/types). */
const TYPES: Readonly<Record<string, Reference['type']>> = {
  'journal-article': 'article-journal',
  'journal-issue': 'periodical',
  'journal-volume': 'periodical',
  journal: 'periodical',
  'proceedings-article': 'paper-conference',
  proceedings: 'book',
  'proceedings-series': 'book',
  book: 'book',
  monograph: 'book',
  'edited-book': 'book',
  'reference-book': 'book',
  'book-set': 'book',
  'book-series': 'book',
  'book-chapter': 'chapter',
  'book-section': 'chapter',
  'book-part': 'chapter',
  'book-track': 'chapter',
  'reference-entry': 'entry-encyclopedia',
  dissertation: 'thesis',
  report: 'report',
  'report-series': 'report',
  'report-component': 'report',
  standard: 'standard',
  'standard-series': 'standard',
  dataset: 'dataset',
  database: 'dataset',
  'posted-content': 'article',
  'peer-review': 'review',
  software: 'software',
}

const PARTS_OF_BOOKS = new Set<Reference['type']>(['chapter', 'entry-encyclopedia', 'paper-conference'])

/** The fields of a Crossref work that are already converted: texts without markup. */
interface KnownTexts {
  title: string
  abstract: string | null
  /** yyyy-MM-dd. */
  publicationDate: string | null
}

/**
 * Returns the bibliographic reference of a Crossref work. `wire` is the record as Crossref returns it; `work` has its title,
 * abstract and date, already converted.
 */
export function readCrossrefReference(wire: CrossrefWire, work: KnownTexts): Reference {
  const type = TYPES[wire.type ?? ''] ?? (wire['container-title']?.[0] ? 'article-journal' : 'document')
  const containers = wire['container-title'] ?? []
  // For a chapter of a book in a series, Crossref lists the series first and the book last.
  const hasSeries = PARTS_OF_BOOKS.has(type) && containers.length > 1
  return buildReference({
    type,
    title: work.title,
    author: people(wire.author),
    editor: people(wire.editor),
    translator: people(wire.translator),
    'container-title': hasSeries ? containers.at(-1) : containers[0],
    'container-title-short': hasSeries ? null : wire['short-container-title']?.[0],
    'collection-title': hasSeries ? containers[0] : null,
    issued: dateOf(wire, work.publicationDate),
    volume: wire.volume,
    issue: wire.issue,
    page: wire.page ?? wire['article-number'],
    edition: wire['edition-number'],
    publisher: type === 'thesis' ? (wire.institution?.[0]?.name ?? wire.publisher) : wire.publisher,
    'publisher-place': wire['publisher-location'],
    'event-title': wire.event?.name,
    'event-place': wire.event?.location,
    genre: wire.subtype === 'preprint' ? 'Preprint' : null,
    DOI: wire.DOI,
    ISSN: [...new Set(wire.ISSN)].join(', '),
    ISBN: [...new Set(wire.ISBN?.map((isbn) => isbn.replace(/^.*\/isbn\//i, '')))].join(', '),
    language: wire.language,
    abstract: work.abstract,
  })
}

const people = (names: CrossrefWire['author']) => (names ?? []).flatMap((one) => nameOfParts(one) ?? [])

/**
 * Returns `day` if it has the year of `issued` or if `issued` is missing; otherwise `issued`, which may have no month or day.
 * Null without both.
 */
function dateOf({ issued }: CrossrefWire, day: string | null): CslDate | null {
  const parts = (issued?.['date-parts']?.[0] ?? []).filter((part) => part !== null)
  const full = day?.split('-').map(Number)
  if (full && (parts.length === 0 || parts[0] === full[0])) return { 'date-parts': [full] }
  return parts[0] ? { 'date-parts': [parts.slice(0, 3)] } : null
}
