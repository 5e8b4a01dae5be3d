import type { Reference } from '#shared/contract/references.ts'
import { anyOrder } from '#shared/references/names.ts'
import {
  addCustom,
  addKeywords,
  addNames,
  addNotes,
  setDate,
  setDoi,
  setPagesOrCount,
  setSerialNumbers,
  setText,
  setVersion,
  splitDois,
  type NameField,
  type TextField,
} from './draft.ts'
import { decisionInNotes } from './earlier-decisions.ts'
import { readRecord, type ReadRecord } from './read-record.ts'
import { readType, type CslType } from './reference-types.ts'
import { isPubMed, setArchive } from './ris-fields.ts'
import { at, parseXml, richTextOf, textsAt, xmlRecords, type XmlElement } from './xml-records.ts'

/** Reads an EndNote library in XML. The addresses of PDFs are stored in `custom` and not fetched. */
export function* readEndnoteXml(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of xmlRecords(text, ['record']))
    yield readRecord(record, ++position, () => {
      const element = parseXml(record)
      return { reference: toReference(element), decision: decisionInNotes(textsAt(element, 'notes')) }
    })
}

/**
 * For each text field, its paths in the XML of EndNote. The first path with a value is read; the first path in the list is
 * written.
 */
export const ENDNOTE_TEXT: [TextField, ...paths: string[]][] = [
  ['title-short', 'titles/short-title'],
  ['container-title', 'titles/secondary-title', 'periodical/full-title', 'alt-periodical/full-title'],
  ['container-title-short', 'periodical/abbr-1', 'alt-periodical/abbr-1'],
  ['collection-title', 'titles/tertiary-title'],
  ['volume', 'volume'],
  ['publisher', 'publisher'],
  ['publisher-place', 'pub-location'],
  ['abstract', 'abstract'],
  ['language', 'language'],
  ['edition', 'edition'],
  ['genre', 'work-type'],
  ['section', 'section'],
  ['number-of-volumes', 'num-vols'],
  ['citation-key', 'label'],
  ['call-number', 'call-num'],
  ['archive_location', 'availability'],
]
/** For each role of a name, such as 'author', its path in the XML of EndNote. */
export const ENDNOTE_NAMES: [NameField, path: string][] = [
  ['author', 'authors'],
  ['editor', 'secondary-authors'],
  ['collection-editor', 'tertiary-authors'],
  ['translator', 'subsidiary-authors'],
]
/** Fields of EndNote that CSL does not have. They are stored in `custom`. */
const CUSTOM = [
  'auth-address',
  'research-notes',
  'remote-database-name',
  'remote-database-provider',
  'reprint-status',
].concat(['custom1', 'custom3', 'custom4', 'custom5', 'custom6', 'custom7'])

function typeOf(record: XmlElement): CslType {
  const element = at(record, 'ref-type')[0]
  const name = element?.attributes['name'] ?? ''
  // A paper in proceedings has the proceedings as its second title; the proceedings themselves have none.
  if (name === 'Conference Proceedings' && textsAt(record, 'titles', 'secondary-title').length > 0)
    return 'paper-conference'
  return readType('endnote', name) ?? 'document'
}

function toReference(record: XmlElement): Reference {
  const item: Reference = { type: typeOf(record) }
  const one = (path: string) => textsAt(record, ...path.split('/'))[0]
  setText(item, 'title', richTextOf(at(record, 'titles', 'title')[0]))
  for (const [field, ...paths] of ENDNOTE_TEXT) setText(item, field, ...paths.map(one))
  setVersion(item)
  const isArticle = item.type.startsWith('article-')
  setText(item, isArticle ? 'issue' : 'number', one('number'))
  if (!isArticle) setText(item, 'issue', one('issue'))
  for (const [field, role] of ENDNOTE_NAMES)
    addNames(
      item,
      field,
      textsAt(record, 'contributors', role, 'author').flatMap((text) => text.split(/[\r\n]+/)),
      anyOrder,
    )
  const year = one('dates/year')
  const day = one('dates/pub-dates/date') ?? ''
  setDate(item, 'issued', year, /\d{4}/.test(day) ? day : `${year ?? ''} ${day}`)
  setDate(item, 'accessed', one('access-date'))
  setPagesOrCount(item, one('pages'), undefined)
  setSerialNumbers(item, textsAt(record, 'isbn'))
  addKeywords(item, textsAt(record, 'keywords', 'keyword'))
  addNotes(item, textsAt(record, 'notes'))
  setIdentifiers(item, record)
  for (const name of CUSTOM) addCustom(item, name, textsAt(record, name))
  addCustom(item, 'pdf-urls', textsAt(record, 'urls', 'pdf-urls', 'url'))
  return item
}

function setIdentifiers(item: Reference, record: XmlElement): void {
  const addresses = ['web-urls', 'related-urls'].flatMap((kind) => textsAt(record, 'urls', kind, 'url'))
  const lines = addresses.flatMap((text) => text.split(/\s+/)).filter(Boolean)
  const number = textsAt(record, 'electronic-resource-num')
  if (!setDoi(item, number)) {
    addCustom(item, 'electronic-resource-num', number)
    setDoi(item, splitDois([...textsAt(record, 'notes'), ...lines])[0])
  }
  const urls = [...splitDois(lines)[1], ...lines]
  setText(
    item,
    'URL',
    urls.find((url) => /^https?:/i.test(url)),
    urls[0],
  )
  const accession = textsAt(record, 'accession-num')[0]?.trim() ?? ''
  const databases = [...textsAt(record, 'remote-database-name'), ...textsAt(record, 'remote-database-provider')]
  setArchive(item, databases)
  // The accession number of another database has the same form.
  const isPmid = /^\d{1,8}$/.test(accession) && (databases.length === 0 || databases.some(isPubMed))
  if (isPmid) item.PMID = accession
  else addCustom(item, 'accession-num', accession ? [accession] : [])
  const pmcid = textsAt(record, 'custom2').map((text) => text.trim())
  setText(
    item,
    'PMCID',
    pmcid.find((text) => /^PMC\d+$/i.test(text)),
  )
  if (!item.PMCID) addCustom(item, 'custom2', pmcid)
}
