import type { Reference } from '#shared/contract/references.ts'
import { splitName } from '#shared/references/split-name.ts'
import { buildReference, dateOfTexts, namesOf } from '../build-reference.ts'
import { plainText } from '../rss/plain-text.ts'
import type { BookWire } from './wire.ts'

const ABSTRACT_MAX = 20_000
/**
 * Matches a statement such as 'edited by A. Ashgrove and B. Marlowe'. The authors of a book with such a statement are its
 * editors.
 */
const EDITED_BY = /^\W*(?:edited|ed\.|eds\.|editors?\b|herausgegeben|hrsg\.|sous la direction)/i
const LANGUAGES: Readonly<Record<string, string>> = {
  eng: 'en',
  fre: 'fr',
  ger: 'de',
  spa: 'es',
  ita: 'it',
  por: 'pt',
  dut: 'nl',
  kor: 'ko',
  jpn: 'ja',
  chi: 'zh',
  rus: 'ru',
}

/** Returns the reference of a book, or null for a book without a title. */
export function readBook(isbn: string, book: BookWire): Reference | null {
  const title = plainText(book.title ?? '', 1000)
  if (!title) return null
  const subtitle = plainText(book.subtitle ?? '', 1000)
  const withRole = (role: RegExp) =>
    namesOf(
      book.contributors?.filter((one) => role.test(one.role ?? '')).map(({ name }) => name),
      splitName,
    )
  const authors = namesOf(
    [...(book.authors ?? [])].map(({ name }) => name),
    splitName,
  )
  const editors = withRole(/^(?:volume |series )?ed(?:itor|\.|$)/i)
  const isEdited = editors.length === 0 && EDITED_BY.test(book.by_statement ?? '')
  const language = /(\w{3})$/.exec(book.languages?.[0]?.key ?? '')?.[1]
  return buildReference({
    type: 'book',
    title: subtitle ? `${title}: ${subtitle}` : title,
    author: isEdited ? [] : authors,
    editor: isEdited ? authors : editors,
    translator: withRole(/^translat/i),
    'collection-title': book.series?.[0],
    edition: book.edition_name?.replace(/\s*ed(?:ition|\.)?$/i, ''),
    publisher: book.publishers?.[0]?.name,
    'publisher-place': book.publish_places?.[0]?.name,
    issued: dateOfTexts(book.publish_date),
    'number-of-pages': book.number_of_pages ? String(book.number_of_pages) : null,
    ISBN: isbn,
    language: language && (LANGUAGES[language] ?? language),
    URL: webAddress(book.url),
    abstract: plainText(book.description ?? '', ABSTRACT_MAX),
  })
}

const webAddress = (url: string | null | undefined) => (url && /^https?:\/\//i.test(url) ? url.slice(0, 2000) : null)
