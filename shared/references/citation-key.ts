import { firstFamily, type StoredReference, yearOf } from './columns.ts'

/** Maximum characters of a citation key. */
export const CITATION_KEY_MAX = 100
/** Characters that BibTeX and Pandoc accept in a key. */
export const CITATION_KEY = /^[\p{L}\p{N}](?:[\p{L}\p{N}_:.+/-]*[\p{L}\p{N}_])?$/u

/** Letters that have no decomposition into a letter of ASCII. */
const ASCII: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
}

/** Words of a title that say little about the paper. */
const COMMON = new Set(
  'from into with that this their there these those what when which where does between among'.split(' '),
)

const ascii = (text: string) =>
  text
    .replaceAll(/<\/?[A-Za-z][^<>]*>/g, '')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => ASCII[letter] ?? '')

/**
 * Returns the citation key of a reference (FND-07): family name of the first author, year, first word of the title with
 * four letters or more. `filename` is the source of the word for a paper without title and author. The database adds a
 * letter to a key that another paper of the project has.
 */
export function newCitationKey(reference: StoredReference, filename = ''): string {
  const isKnown = reference.title || reference.author
  const words = ascii(isKnown ? (reference.title ?? '') : filename.replace(/\.pdf$/i, '')).match(/[a-z]{4,}/g) ?? []
  const word = words.find((one) => !COMMON.has(one)) ?? words[0] ?? ''
  const family = ascii(firstFamily(reference))
    .replaceAll(/[^a-z]/g, '')
    .slice(0, 30)
  return `${family}${yearOf(reference) ?? ''}${word.slice(0, 30)}` || 'paper'
}
