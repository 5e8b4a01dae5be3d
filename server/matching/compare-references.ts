import { distance } from 'fastest-levenshtein'
import { doiKey } from '#shared/contract/doi.ts'
import { COMPARED_FIELDS, type Likeness, type Resemblance } from '#shared/contract/duplicates.ts'
import type { Reference } from '#shared/contract/references.ts'
import { yearOf } from '#shared/references/dates.ts'
import { arxivId, isbn13 } from '#shared/references/identifiers.ts'
import { nameKey } from '#shared/references/names.ts'
import { LONG_TITLE, titleMatch } from '#shared/references/title-match.ts'

/**
 * The values of a reference that are compared with those of other references to find duplicates. Missing values are undefined.
 */
export interface ComparedReference {
  title: string
  words: string[]
  doi?: string
  pmid?: string
  pmcid?: string
  arxiv?: string
  isbn?: string
  firstAuthor?: string
  year?: number
  volume?: string
  firstPage?: string
  isPreprint: boolean
}

const KEY_LENGTH = 18
/** Number of letters and digits at the start of two titles that are compared with each other. */
const COMPARED_TITLE = 500

const lower = (text: string | undefined) => text?.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || undefined

/**
 * Returns the values of a reference that are compared with those of other references to find duplicates. The result can be used
 * for many comparisons, so compute it only once.
 */
export function comparedReference(item: Reference): ComparedReference {
  const title = titleMatch(item.title ?? '').slice(0, COMPARED_TITLE)
  const doi = item.DOI ? doiKey(item.DOI) : undefined
  const arxiv = [item.DOI, item.archive_location, item.number, item.URL].map((id) => arxivId(id ?? '')).find(Boolean)
  const isPreprint =
    item.type === 'article' || arxiv !== undefined || /^10\.(?:1101|21203|31219|31234|20944)\//.test(doi ?? '')
  const author = item.author?.[0]
  return {
    title,
    words: longestWords(item.title ?? ''),
    ...(doi && { doi }),
    ...(item.PMID && { pmid: item.PMID }),
    ...(item.PMCID && { pmcid: item.PMCID.toUpperCase() }),
    ...(arxiv && { arxiv }),
    ...(item.type === 'book' && item.ISBN && { isbn: item.ISBN.split(', ').map(isbn13).find(Boolean) }),
    ...(author && { firstAuthor: nameKey(author) }),
    year: yearOf(item.issued),
    volume: lower(item.volume),
    firstPage: lower(item.page?.split(/[-\u2013,]/)[0]),
    isPreprint,
  }
}

function longestWords(title: string): string[] {
  const words = [...new Set(title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu))].map(titleMatch).filter(Boolean)
  return words.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 3)
}

/**
 * Returns the keys under which a reference is indexed. References without a common key are not compared, so the work grows
 * with the number of references and not with its square.
 */
export function candidateKeys(one: ComparedReference): string[] {
  const { title, words, doi, pmid, pmcid, arxiv, isbn, firstAuthor, year, volume, firstPage } = one
  const ids = Object.entries({ doi, pmid, pmcid, arxiv, isbn }).flatMap(([kind, id]) => (id ? [`${kind}:${id}`] : []))
  const titles = title ? [`start:${title.slice(0, KEY_LENGTH)}`, `end:${title.slice(-KEY_LENGTH)}`] : []
  const longest = words.length === 3 ? [`words:${words.toSorted().join(' ')}`] : []
  const place = firstPage && volume && year ? [`place:${firstPage} ${volume} ${year}`] : []
  // Rarer than the start of a title alone, which thousands of papers of a project can share ('A systematic review of').
  const start = title.slice(0, KEY_LENGTH)
  const byAuthor =
    title && firstAuthor
      ? [
          `author:${firstAuthor} ${start}`,
          `author:${firstAuthor} ${title.slice(-KEY_LENGTH)}`,
          `author:${firstAuthor} ${year ?? ''}`,
        ]
      : []
  const byPage = title && firstPage && volume ? [`page:${firstPage} ${volume} ${start}`] : []
  // Of titles that differ at the start, at the end and in one long word ('randomised', 'randomized').
  const pairs =
    longest.length > 0
      ? words.map(
          (word) =>
            `pair:${words
              .toSorted()
              .filter((other) => other !== word)
              .join(' ')}`,
        )
      : []
  return [...ids, ...titles, ...longest, ...place, ...byAuthor, ...byPage, ...pairs]
}

const equal = <Value>(a: Value | undefined, b: Value | undefined) => a !== undefined && a === b
const differ = <Value>(a: Value | undefined, b: Value | undefined) => a !== undefined && b !== undefined && a !== b

/** Returns the likeness of two titles from 0 to 1: one minus the share of changed characters. */
function titleLikeness(a: string, b: string): number {
  const longest = Math.max(a.length, b.length)
  return longest === 0 ? 0 : a === b ? 1 : 1 - distance(a, b) / longest
}

/**
 * Compares two references. Returns their likeness: the same paper ('certain' or 'suspected'), or a preprint and its article.
 * Returns undefined if they are different papers.
 */
export const compareReferences = (a: ComparedReference, b: ComparedReference): Likeness | undefined =>
  compare(a, b, titleLikeness(a.title, b.title))

/**
 * Compares two references like `compareReferences`, and returns the likeness with its reasons. Returns undefined if they are
 * different papers.
 */
export function explainLikeness(a: ComparedReference, b: ComparedReference): Resemblance | undefined {
  const title = titleLikeness(a.title, b.title)
  const likeness = compare(a, b, title)
  if (!likeness) return undefined
  const yearsApart = a.year !== undefined && b.year !== undefined ? Math.abs(a.year - b.year) : null
  return {
    likeness,
    title_likeness: title,
    title_begins: title < 1 && begin(a.title, b.title),
    equal: COMPARED_FIELDS.filter((field) => equal(a[field], b[field])),
    years_apart: yearsApart,
  }
}

const begin = (a: string, b: string) =>
  Math.min(a.length, b.length) >= LONG_TITLE && (a.startsWith(b) || b.startsWith(a))

function compare(a: ComparedReference, b: ComparedReference, likeness: number): Likeness | undefined {
  if (isCertain(a, b, likeness)) return 'certain'
  const isShort = Math.min(a.title.length, b.title.length) < LONG_TITLE
  const begins = begin(a.title, b.title)
  if (likeness < 0.9 && !begins) return undefined
  if (a.isPreprint !== b.isPreprint && !isShort && equal(a.firstAuthor, b.firstAuthor)) return 'preprint and article'
  return isContradicted(a, b, isShort) ? undefined : 'suspected'
}

function isCertain(a: ComparedReference, b: ComparedReference, likeness: number): boolean {
  const ids = ['doi', 'pmid', 'pmcid', 'arxiv', 'isbn'] as const
  const contains = a.title !== '' && b.title !== '' && (a.title.includes(b.title) || b.title.includes(a.title))
  if (ids.some((id) => equal(a[id], b[id])) && (likeness >= 0.5 || contains)) return true
  const isSameTitle = likeness === 1 && a.title.length >= LONG_TITLE
  const isSameYear = a.year !== undefined && b.year !== undefined && Math.abs(a.year - b.year) <= 1
  const isSamePlace = equal(a.firstPage, b.firstPage) || equal(a.volume, b.volume)
  return isSameTitle && equal(a.firstAuthor, b.firstAuthor) && isSameYear && isSamePlace && !differ(a.doi, b.doi)
}

function isContradicted(a: ComparedReference, b: ComparedReference, isShort: boolean): boolean {
  const samePage = equal(a.firstPage, b.firstPage)
  const samePlace = samePage && equal(a.volume, b.volume)
  if (differ(a.doi, b.doi) && !samePlace) return true
  if (differ(a.volume, b.volume) && differ(a.firstPage, b.firstPage)) return true
  const yearsApart = a.year !== undefined && b.year !== undefined ? Math.abs(a.year - b.year) : 0
  if (yearsApart > 1 && !samePlace) return true
  const samePageAndTime = samePage && (equal(a.volume, b.volume) || equal(a.year, b.year))
  if (differ(a.firstAuthor, b.firstAuthor) && !samePageAndTime) return true
  return isShort && !samePlace
}
