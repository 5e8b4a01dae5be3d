import {
  CSL_DATE_FIELDS,
  CSL_NAME_FIELDS,
  CSL_TEXT_FIELDS,
  CSL_TYPES,
  type Reference,
} from '#shared/contract/references.ts'
import { readable, typeLabel } from '#web/lib/reference-types.ts'

export type ReferenceType = Reference['type']
export type TextName = (typeof CSL_TEXT_FIELDS)[number]
export type NamesName = (typeof CSL_NAME_FIELDS)[number]
export type DateName = (typeof CSL_DATE_FIELDS)[number]
export type FieldName = TextName | NamesName | DateName

/** The most frequent types of references, which are first in the list of types. */
const COMMON: readonly ReferenceType[] = [
  'article-journal',
  'article',
  'book',
  'chapter',
  'paper-conference',
  'report',
  'thesis',
  'dataset',
  'webpage',
]
export const TYPES = [...COMMON, ...CSL_TYPES.filter((type) => !COMMON.includes(type))].map((value) => ({
  value,
  label: typeLabel(value),
}))

const LABELS: Partial<Record<FieldName, string>> = {
  author: 'Authors',
  editor: 'Editors',
  translator: 'Translators',
  contributor: 'Contributors',
  'collection-editor': 'Series editors',
  'container-author': 'Authors of the book',
  issued: 'Published',
  accessed: 'Accessed',
  'title-short': 'Short title',
  'container-title': 'Journal',
  'container-title-short': 'Short form',
  'collection-title': 'Series',
  'collection-number': 'Number in the series',
  page: 'Pages',
  'page-first': 'First page',
  'publisher-place': 'Place',
  'number-of-pages': 'Number of pages',
  'event-title': 'Event',
  'event-place': 'Place of the event',
  keyword: 'Keywords of the source',
  annote: 'Annotation',
  URL: 'Address (URL)',
}
/** Labels of fields that depend on the type of the reference. For example, the publisher of a thesis is 'University'. */
const BY_TYPE: Partial<Record<ReferenceType, Partial<Record<FieldName, string>>>> = {
  'article-magazine': { 'container-title': 'Magazine' },
  'article-newspaper': { 'container-title': 'Newspaper' },
  article: { publisher: 'Archive', number: 'Identifier in the archive' },
  chapter: { 'container-title': 'Title of the book' },
  'entry-dictionary': { 'container-title': 'Title of the dictionary' },
  'entry-encyclopedia': { 'container-title': 'Title of the encyclopedia' },
  'paper-conference': { 'container-title': 'Proceedings' },
  webpage: { 'container-title': 'Website' },
  'post-weblog': { 'container-title': 'Blog' },
  thesis: { publisher: 'University', genre: 'Kind of thesis' },
  report: { publisher: 'Institution', genre: 'Kind of report' },
  patent: { authority: 'Patent office', number: 'Patent number' },
}

/** Returns the label of a field; with `type`, the label for references of this type. */
export const labelOf = (name: FieldName, type?: ReferenceType) =>
  (type && BY_TYPE[type]?.[name]) ?? LABELS[name] ?? readable(name)

/** Returns the label of a changed field. `name` is a CSL field, 'type' or 'tags'. */
export function fieldLabel(name: string, type?: ReferenceType): string {
  if (name === 'type') return 'Type'
  const known = ALL_NAMES.find((one) => one === name)
  return known ? labelOf(known, type) : readable(name)
}

const IN_JOURNAL: FieldName[] = ['container-title', 'container-title-short', 'volume', 'issue', 'page', 'PMID', 'ISSN']
const OF_BOOK: FieldName[] = ['publisher', 'publisher-place', 'edition', 'ISBN']
const ON_WEB: FieldName[] = ['container-title', 'URL', 'accessed']
const OF_LAW: FieldName[] = ['authority', 'jurisdiction', 'number', 'volume', 'page']
const SHOWN: Partial<Record<ReferenceType, FieldName[]>> = {
  article: ['publisher', 'number', 'URL'],
  'article-journal': IN_JOURNAL,
  'article-magazine': IN_JOURNAL,
  'article-newspaper': ['container-title', 'section', 'page', 'URL'],
  review: IN_JOURNAL,
  'review-book': [...IN_JOURNAL, 'reviewed-title', 'reviewed-author'],
  book: ['editor', 'volume', 'number-of-pages', 'collection-title', ...OF_BOOK],
  chapter: ['editor', 'container-title', 'page', 'volume', ...OF_BOOK],
  'entry-dictionary': ['editor', 'container-title', 'page', ...OF_BOOK],
  'entry-encyclopedia': ['editor', 'container-title', 'page', ...OF_BOOK],
  'paper-conference': ['editor', 'container-title', 'event-title', 'event-place', 'page', 'publisher', 'ISBN'],
  thesis: ['genre', 'publisher', 'publisher-place', 'number-of-pages', 'URL'],
  report: ['genre', 'number', 'publisher', 'publisher-place', 'page', 'URL'],
  dataset: ['publisher', 'version', 'URL', 'accessed'],
  software: ['publisher', 'version', 'URL', 'accessed'],
  webpage: ON_WEB,
  post: ON_WEB,
  'post-weblog': ON_WEB,
  patent: ['authority', 'number', 'jurisdiction', 'URL'],
  legal_case: OF_LAW,
  legislation: OF_LAW,
  bill: OF_LAW,
  hearing: OF_LAW,
  regulation: OF_LAW,
}
/**
 * Types of references in journals, magazines and newspapers. The input of their container title suggests journals of the
 * catalog.
 */
export const IN_JOURNALS: ReadonlySet<ReferenceType> = new Set([
  'article-journal',
  'article-magazine',
  'article-newspaper',
  'review',
  'review-book',
])
const ALWAYS: FieldName[] = ['title', 'title-short', 'author', 'issued', 'DOI', 'citation-key']
const OFFERED: FieldName[] = ['abstract', 'language', 'editor', 'publisher', 'URL', 'note', 'keyword', 'PMCID']

/** The names of all fields of a reference in CSL (Citation Style Language) except the type. */
export const ALL_NAMES: readonly FieldName[] = [...CSL_NAME_FIELDS, ...CSL_DATE_FIELDS, ...CSL_TEXT_FIELDS]

/** The fields of each part of the form, in order. Fields that are not listed here are in the part 'More fields'. */
const PARTS = {
  Title: ['title', 'title-short'],
  Authors: ['author', 'editor', 'translator'],
  Published: [
    'container-title',
    'container-title-short',
    'volume',
    'issue',
    'page',
    'issued',
    'genre',
    'number',
    'version',
    'edition',
    'number-of-pages',
    'collection-title',
    'event-title',
    'event-place',
    'section',
    'authority',
    'jurisdiction',
    'publisher',
    'publisher-place',
    'reviewed-title',
    'reviewed-author',
  ],
  Identifiers: ['DOI', 'PMID', 'PMCID', 'ISSN', 'ISBN', 'citation-key', 'URL', 'accessed'],
} as const satisfies Record<string, readonly FieldName[]>

/**
 * Divides the fields of the reference form for a reference type. The shown fields are the usual fields of the type and those
 * for which `isOpen` is true: `parts` contains them by section, `more` those without a section. `closed` are the hidden fields,
 * and `offered` the hidden fields that users need most often.
 */
export function partsOf(type: ReferenceType, isOpen: (name: FieldName) => boolean) {
  const wanted = new Set([...ALWAYS, ...(SHOWN[type] ?? ['publisher', 'publisher-place', 'number', 'URL'])])
  const shown = (name: FieldName) => wanted.has(name) || isOpen(name)
  const placed = Object.entries(PARTS).map(([title, names]) => ({ title, names: names.filter(shown) }))
  const inParts = new Set<FieldName>(Object.values(PARTS).flat())
  const closed = ALL_NAMES.filter((name) => !shown(name))
  return {
    parts: placed,
    more: ALL_NAMES.filter((name) => !inParts.has(name) && shown(name)),
    offered: OFFERED.filter((name) => closed.includes(name)),
    closed,
  }
}

const TEXTS: ReadonlySet<string> = new Set(CSL_TEXT_FIELDS)
const NAMES: ReadonlySet<string> = new Set(CSL_NAME_FIELDS)
/** Returns whether the value of a field of a reference is a text. */
export const isTextName = (name: FieldName): name is TextName => TEXTS.has(name)
/** Returns whether the value of a field of a reference is a list of names. */
export const isNamesName = (name: FieldName): name is NamesName => NAMES.has(name)
