import type { CslName, Reference } from '#shared/contract/references.ts'
import { addCustom, addKeywords, addNames, addNotes, oneLine, setDate, setDoi, setText } from './draft.ts'
import { readRecord, type ReadRecord } from './read-record.ts'
import { readType, type CslType } from './reference-types.ts'
import { at, elementsOf, parseXml, richTextOf, textOf, textsAt, xmlRecords, type XmlElement } from './xml-records.ts'

/** Reads the XML of PubMed: articles, books and chapters of books. */
export function* readPubmedXml(text: string): Generator<ReadRecord> {
  let position = 0
  for (const record of xmlRecords(text, ['PubmedArticle', 'PubmedBookArticle']))
    yield readRecord(record, ++position, () => {
      const element = parseXml(record)
      return { reference: element.name === 'PubmedArticle' ? toArticle(element) : toBook(element) }
    })
}

const oneAt = (element: XmlElement | undefined, ...path: string[]) => textsAt(element, ...path)[0]

function typeOf(article: XmlElement | undefined): CslType {
  const types = textsAt(article, 'PublicationTypeList', 'PublicationType').flatMap(
    (name) => readType('nbib', name) ?? [],
  )
  return types.find((type) => type !== 'article-journal') ?? 'article-journal'
}

function toArticle(record: XmlElement): Reference {
  const citation = at(record, 'MedlineCitation')[0]
  const article = at(citation, 'Article')[0]
  const journal = at(article, 'Journal')[0]
  const issue = at(journal, 'JournalIssue')[0]
  const item: Reference = { type: typeOf(article) }
  setText(item, 'PMID', oneAt(citation, 'PMID'))
  setText(item, 'title', richTextOf(at(article, 'ArticleTitle')[0]), oneAt(article, 'VernacularTitle'))
  setText(item, 'container-title', oneAt(journal, 'Title'), oneAt(citation, 'MedlineJournalInfo', 'MedlineTA'))
  setText(
    item,
    'container-title-short',
    oneAt(journal, 'ISOAbbreviation'),
    oneAt(citation, 'MedlineJournalInfo', 'MedlineTA'),
  )
  setText(item, 'ISSN', oneAt(journal, 'ISSN'))
  setText(item, 'volume', oneAt(issue, 'Volume'))
  setText(item, 'issue', oneAt(issue, 'Issue'))
  setText(item, 'page', oneAt(article, 'Pagination', 'MedlinePgn'))
  setDate(item, 'issued', dateOf(at(issue, 'PubDate')[0]))
  setDate(item, 'issued', dateOf(at(article, 'ArticleDate')[0]))
  setPeople(item, at(article, 'AuthorList'))
  setText(item, 'abstract', abstractOf(at(article, 'Abstract')[0]))
  setText(item, 'language', oneAt(article, 'Language'))
  addKeywords(item, [
    ...at(citation, 'MeshHeadingList', 'MeshHeading').map(meshHeading),
    ...textsAt(citation, 'KeywordList', 'Keyword'),
  ])
  addNotes(item, textsAt(citation, 'GeneralNote').map(oneLine))
  const locations = at(article, 'ELocationID').filter(({ attributes }) => attributes['EIdType'] === 'doi')
  setIds(item, record, locations.map(textOf))
  addCustom(item, 'PublicationType', textsAt(article, 'PublicationTypeList', 'PublicationType'))
  return item
}

function toBook(record: XmlElement): Reference {
  const document = at(record, 'BookDocument')[0]
  const book = at(document, 'Book')[0]
  const chapter = at(document, 'ArticleTitle')[0]
  const item: Reference = { type: chapter ? 'chapter' : 'book' }
  const bookTitle = richTextOf(at(book, 'BookTitle')[0])
  setText(item, 'title', richTextOf(chapter), bookTitle)
  if (chapter) setText(item, 'container-title', bookTitle)
  setText(item, 'PMID', oneAt(document, 'PMID'))
  setText(item, 'collection-title', oneAt(book, 'CollectionTitle'))
  setText(item, 'publisher', oneAt(book, 'Publisher', 'PublisherName'))
  setText(item, 'publisher-place', oneAt(book, 'Publisher', 'PublisherLocation'))
  setText(item, 'ISBN', textsAt(book, 'Isbn').join(', '))
  setText(item, 'edition', oneAt(book, 'Edition'))
  setText(item, 'page', oneAt(document, 'Pagination', 'MedlinePgn'))
  setDate(item, 'issued', dateOf(at(book, 'PubDate')[0]))
  setPeople(item, [...at(document, 'AuthorList'), ...at(book, 'AuthorList')])
  setText(item, 'abstract', abstractOf(at(document, 'Abstract')[0]))
  setText(item, 'language', oneAt(document, 'Language'))
  addKeywords(item, textsAt(document, 'KeywordList', 'Keyword'))
  setIds(item, record, at(book, 'ELocationID').map(textOf))
  return item
}

function dateOf(date: XmlElement | undefined): string | undefined {
  if (!date) return undefined
  const [year, month, season, day] = ['Year', 'Month', 'Season', 'Day'].map((name) => oneAt(date, name))
  if (!year) return oneAt(date, 'MedlineDate')
  return /^\d+$/.test(month ?? '')
    ? [year, month, day].filter(Boolean).join('-')
    : [year, month ?? season, day].filter(Boolean).join(' ')
}

function nameOf(author: XmlElement): CslName | undefined {
  const collective = oneAt(author, 'CollectiveName')
  if (collective) return { literal: oneLine(collective) }
  const family = oneAt(author, 'LastName')
  if (!family) return undefined
  const given = oneAt(author, 'ForeName') ?? oneAt(author, 'Initials')
  const suffix = oneAt(author, 'Suffix')
  return {
    family: oneLine(family),
    ...(given && { given: oneLine(given) }),
    ...(suffix && { suffix: oneLine(suffix) }),
  }
}

function setPeople(item: Reference, lists: readonly XmlElement[]): void {
  for (const list of lists) {
    const field = list.attributes['Type'] === 'editors' ? 'editor' : 'author'
    const names = elementsOf(list, 'Author').flatMap((author) => nameOf(author) ?? [])
    const byText = new Map(names.map((name) => [JSON.stringify(name), name]))
    addNames(
      item,
      field,
      names.map((name) => JSON.stringify(name)),
      (text) => byText.get(text),
    )
  }
}

/** Joins the parts of a structured abstract with their labels. */
const abstractOf = (abstract: XmlElement | undefined) =>
  at(abstract, 'AbstractText')
    .map((part) => [part.attributes['Label'], oneLine(textOf(part))].filter(Boolean).join(': '))
    .join(' ')

/** Returns a MeSH heading as nbib writes it: '*Copper/adverse effects'. */
function meshHeading(heading: XmlElement): string {
  const star = (element: XmlElement) =>
    (element.attributes['MajorTopicYN'] === 'Y' ? '*' : '') + oneLine(textOf(element))
  return [...at(heading, 'DescriptorName'), ...at(heading, 'QualifierName')].map(star).join('/')
}

function setIds(item: Reference, record: XmlElement, locations: readonly string[]): void {
  const ids = ['PubmedData', 'PubmedBookData'].flatMap((name) => at(record, name, 'ArticleIdList', 'ArticleId'))
  const ofKind = (kind: string) => ids.filter(({ attributes }) => attributes['IdType'] === kind).map(textOf)
  setDoi(item, [...ofKind('doi'), ...locations])
  setText(item, 'PMCID', ...ofKind('pmc'))
}
