import { firstFamily, type StoredReference, yearOf } from './columns.ts'

/** Maximum characters of a citation key. */
export const CITATION_KEY_MAX = 100
/** A valid citation key: only characters that BibTeX and Pandoc accept. */
export const CITATION_KEY = /^[\p{L}\p{N}](?:[\p{L}\p{N}_:.+/-]*[\p{L}\p{N}_])?$/u

/** ASCII forms of letters that the normalization NFKD does not decompose. */
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

/** Common words that say little about a paper. A citation key contains one of them only if the title has no other word. */
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
 * Returns the citation key of a reference (FND-07), in lower-case ASCII letters and digits: the family name of the first
 * author, the year, and a word of the title. The word is the first one with at least four letters that is not a common word
 * such as 'from'. For a paper without title and author, the word is from `filename`. Returns 'paper' if all parts are missing.
 * If another paper of the project has the same key, the database adds a letter.
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
