import type { Creator, Entry } from '@retorquere/bibtex-parser'
import type { CslName, Reference } from '#shared/contract/references.ts'
import { yearAndMonth } from '#shared/references/dates.ts'
import { arxivId } from '#shared/references/identifiers.ts'
import { KEYWORDS, toNoCase } from './bibtex-case.ts'
import {
  addCustom,
  addKeywordList,
  addNotes,
  setDate,
  setDoi,
  setPages,
  setText,
  type NameField,
  type TextField,
} from './draft.ts'
import { readType, type CslType } from './reference-types.ts'

/** For each text field, the names of the BibTeX fields that are read for it. The first name that has a value is used. */
export const BIBTEX_TEXT: [TextField, ...names: string[]][] = [
  ['title-short', 'shorttitle'],
  ['container-title-short', 'shortjournal'],
  ['collection-title', 'series'],
  ['volume', 'volume'],
  ['publisher', 'publisher', 'school', 'institution', 'organization'],
  ['publisher-place', 'address', 'location'],
  ['PMID', 'pmid'],
  ['PMCID', 'pmcid'],
  ['ISSN', 'issn'],
  ['ISBN', 'isbn'],
  ['abstract', 'abstract'],
  ['language', 'language', 'langid'],
  ['edition', 'edition'],
  ['version', 'version'],
  ['genre', 'type'],
  ['chapter-number', 'chapter'],
  ['number-of-pages', 'pagetotal'],
  ['number-of-volumes', 'volumes'],
  ['event-title', 'eventtitle'],
  ['event-place', 'venue'],
]
export type BibtexCreators = Partial<Record<'author' | 'editor' | 'translator' | 'bookauthor', Creator[]>>
export const BIBTEX_NAMES: [NameField, name: keyof BibtexCreators][] = [
  ['author', 'author'],
  ['editor', 'editor'],
  ['translator', 'translator'],
  ['container-author', 'bookauthor'],
]
const OTHER =
  'title subtitle journal journaltitle journalsubtitle booktitle booksubtitle number articleno issue pages eid doi url urldate date year month day eventdate keywords note annote annotation eprint eprinttype archiveprefix primaryclass entrysubtype crossref xdata groups'.split(
    ' ',
  )
const READ_NAMES = new Set([
  ...OTHER,
  ...BIBTEX_TEXT.flatMap(([, ...names]) => names),
  ...BIBTEX_NAMES.map(([, name]) => name),
])

/** The fields of an entry: the name of each field, and its value as text. Lists are joined to one text. */
export type BibtexValues = Map<string, string>

const LINK = /<a href="[^"]*">|<\/a>/g
const BLOCK = /<\/?(?:p|div|ul|ol|li|br)\b[^<>]{0,40}>/g

const plain = (text: string) => toNoCase(text).replaceAll(LINK, '').replaceAll(BLOCK, ' ').normalize('NFC')

/**
 * Returns the text values of the fields of a parsed entry. Lists are joined with ' and '. Omits names of persons, because
 * `toReference` receives them separately.
 */
export function valuesOfEntry({ fields }: Pick<Entry, 'fields'>): BibtexValues {
  const values: BibtexValues = new Map()
  for (const [name, value] of Object.entries(fields)) {
    const items = [value].flat().filter((one) => typeof one === 'string')
    const text = plain(items.join(' and ')).trim()
    if (text) values.set(name === KEYWORDS ? 'keywords' : name, text)
  }
  return values
}

/**
 * Matches a name prefix that becomes a particle ('von'). Any other prefix ('für') becomes a part of the family name, because
 * the parser recognizes it in 'Given für Family' but not in 'für Family, Given', the form that an export writes.
 */
const PARTICLE = /^[a-z'’.\s-]+$/

function toName({ name, lastName, firstName, prefix, suffix }: Creator): CslName | undefined {
  if (name) return { literal: plain(name).replaceAll(/<[^<>]*>/g, '') }
  if (!lastName || lastName === 'others') return undefined
  const isParticle = prefix !== undefined && PARTICLE.test(prefix)
  return {
    family: (prefix && !isParticle ? `${prefix} ${lastName}` : lastName).normalize('NFC'),
    ...(firstName && { given: firstName.normalize('NFC') }),
    ...(isParticle && { 'non-dropping-particle': prefix }),
    ...(suffix && { suffix }),
  }
}

function typeOf(type: string, values: BibtexValues): CslType {
  const isPreprint = values.has('eprint') && !/pubmed/i.test(eprintType(values))
  if (/^(?:online|misc|electronic)$/.test(type) && isPreprint) return 'article'
  if (type === 'misc' && values.has('url')) return 'webpage'
  const kind = values.get('entrysubtype')?.toLowerCase()
  if (type === 'article' && (kind === 'magazine' || kind === 'newspaper')) return `article-${kind}`
  return readType('bibtex', type) ?? 'document'
}

const eprintType = (values: BibtexValues) => values.get('eprinttype') ?? values.get('archiveprefix') ?? ''

/** Builds the reference of an entry from its type, its key, its text values and the persons in `creators`. */
export function toReference(type: string, key: string, values: BibtexValues, creators: BibtexCreators): Reference {
  const item: Reference = { type: typeOf(type, values) }
  const value = (...names: string[]) => names.map((name) => values.get(name)).find(Boolean)
  const withSubtitle = (title: string | undefined, subtitle: string | undefined) =>
    title && subtitle ? `${title}: ${subtitle}` : title
  setText(item, 'citation-key', key)
  setText(item, 'title', withSubtitle(value('title'), value('subtitle')))
  const journal = withSubtitle(value('journaltitle', 'journal'), value('journalsubtitle'))
  const book = withSubtitle(value('booktitle'), value('booksubtitle'))
  // A book without `title` has its title in `booktitle`.
  setText(item, item.type === 'book' && !item.title ? 'title' : 'container-title', journal, book)
  for (const [field, ...names] of BIBTEX_TEXT) setText(item, field, ...names.map((name) => values.get(name)))
  for (const [field, name] of BIBTEX_NAMES) {
    const names = (creators[name] ?? []).flatMap((one) => toName(one) ?? [])
    if (names.length > 0) item[field] = names
  }
  const isArticle = item.type.startsWith('article')
  setText(item, isArticle ? 'issue' : 'number', value('number'))
  setText(item, 'number', value('articleno'))
  setText(item, 'issue', value('issue'))
  // An export writes `eid` and `articleno` for a number. An `eid` alone is in `page`, because most citation styles print it
  // there.
  setPages(item, value('pages') ?? (values.has('articleno') ? undefined : value('eid')), undefined)
  setIssued(item, values)
  setDate(item, 'accessed', value('urldate'))
  setDate(item, 'event-date', value('eventdate'))
  setDoi(item, [value('doi') ?? ''])
  setText(item, 'URL', value('url'))
  setEprint(item, values)
  addKeywordList(item, value('keywords') ?? '')
  addNotes(item, [value('note') ?? '', value('annote') ?? '', value('annotation') ?? ''])
  for (const [name, text] of values) if (!READ_NAMES.has(name)) addCustom(item, name, [text])
  return item
}

function setIssued(item: Reference, values: BibtexValues): void {
  const [date, year = '', month = '', day = ''] = ['date', 'year', 'month', 'day'].map((name) => values.get(name))
  if (date) setDate(item, 'issued', date)
  const issued = yearAndMonth(year, month, day)
  if (!item.issued && issued) item.issued = issued
}

function setEprint(item: Reference, values: BibtexValues): void {
  const id = values.get('eprint')
  if (!id) return
  const kind = eprintType(values)
  if (/pubmed/i.test(kind)) setText(item, 'PMID', id)
  else {
    setText(item, 'archive', kind || (arxivId(id) ? 'arXiv' : undefined))
    setText(item, 'archive_location', id)
  }
}
