import type { CslName, Reference } from '#shared/contract/references.ts'
import { isoDate, wordDate, yearOf } from '#shared/references/dates.ts'
import { sortedName } from '#shared/references/names.ts'
import { keywordsAndTags, notesOf, withSharedFields, type ExportItem, type WriteOptions } from './export-item.ts'
import { ENDNOTE_NAMES, ENDNOTE_TEXT } from './read-endnote-xml.ts'
import { endnoteType, readType } from './reference-types.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n<xml><records>\n'
const STYLE = 'font="default" size="100%"'
const FACES: Record<string, string> = { i: 'italic', b: 'bold', sup: 'superscript', sub: 'subscript' }

/** Matches characters that XML does not allow. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu
const escape = (text: string) =>
  text.replaceAll(FORBIDDEN, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const styled = (text: string, face = 'normal') => `<style face="${face}" ${STYLE}>${escape(text)}</style>`

/**
 * Writes a title as `<style>` elements: one element for each part of the text with the same typeface, such as italic. Omits the
 * markup for protected case, because EndNote has none.
 */
function title(text: string): string {
  const parts = text.replaceAll(/<span[^<>]*>|<\/span>/g, '').split(/<(i|b|sup|sub)>(.*?)<\/\1>/s)
  let written = ''
  for (let at = 0; at < parts.length; at += 3) {
    const [plain = '', tag = '', marked = ''] = parts.slice(at, at + 3)
    if (plain) written += styled(plain)
    if (marked) written += styled(marked, FACES[tag])
  }
  return written
}

/**
 * Writes an EndNote library in XML. A long library is written in parts: `isFirst` and `isLast` mean that this part begins or
 * ends the file, and `before` is the number of references in the earlier parts.
 */
export function* writeEndnoteXml(
  items: Iterable<ExportItem>,
  { isFirst = true, isLast = true, before = 0 }: WriteOptions = {},
): Generator<string> {
  if (isFirst) yield HEAD
  let number = before
  for (const item of items) yield `${record(item, ++number)}\n`
  if (isLast) yield '</records></xml>\n'
}

const element = (name: string, content: string | undefined) => (content ? `<${name}>${content}</${name}>` : '')

function record(item: ExportItem, number: number): string {
  const reference = withSharedFields(item)
  const { PMID, archive } = reference
  const [name, code] = endnoteType(reference.type)
  const text = new Map(
    ENDNOTE_TEXT.flatMap(([field, path]) => (reference[field] ? [[path!, styled(reference[field])]] : [])),
  )
  const child = (path: string) => element(path.split('/').at(-1)!, text.get(path))
  // A review is written as an article, so its issue is where the issue of an article is.
  const isArticle = readType('endnote', name)!.startsWith('article-')
  const issue = isArticle ? reference.issue : reference.number
  return element(
    'record',
    [
      `<rec-number>${number}</rec-number><ref-type name="${name}">${code}</ref-type>`,
      element('contributors', ENDNOTE_NAMES.map(([field, role]) => element(role, names(reference[field]))).join('')),
      element(
        'titles',
        element('title', title(reference.title ?? '')) +
          ['titles/secondary-title', 'titles/tertiary-title', 'titles/short-title'].map(child).join(''),
      ),
      element('periodical', child('periodical/abbr-1')),
      one('pages', reference.page),
      ...[...text.keys()].filter((path) => !path.includes('/')).map(child),
      one('number', issue),
      ...(issue === reference.issue ? [] : [one('issue', reference.issue)]),
      element(
        'keywords',
        keywordsAndTags(item)
          .map((word) => one('keyword', word))
          .join(''),
      ),
      element('dates', dates(reference)),
      one('isbn', [reference.ISBN, reference.ISSN].filter(Boolean).join('\n')),
      one('electronic-resource-num', reference.DOI),
      one('accession-num', PMID ?? (archive && reference.archive_location)),
      one('custom2', reference.PMCID),
      element('urls', element('web-urls', one('url', reference.URL))),
      one('access-date', reference.accessed && isoDate(reference.accessed)),
      one('notes', notesOf(item).join('\n')),
      one('remote-database-name', PMID ? 'PubMed' : archive),
      one('remote-database-provider', PMID && archive),
    ].join(''),
  )
}

const one = (name: string, value: string | undefined) => element(name, value && styled(value))

/**
 * Writes names as `<author>` elements. A comma is added to a literal name, so that EndNote does not split it into given and
 * family name.
 */
const names = (all: readonly CslName[] = []) =>
  all.map((name) => one('author', name.literal === undefined ? sortedName(name) : `${name.literal},`)).join('')

function dates({ issued }: Reference): string {
  if (!issued) return ''
  const year = yearOf(issued)
  if (year === undefined) return one('year', isoDate(issued))
  const words = wordDate(issued)
  return one('year', String(year)) + (words === String(year) ? '' : element('pub-dates', one('date', words)))
}
