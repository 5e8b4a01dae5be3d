import { UNSPACED } from '#shared/passages/whole-words.ts'

/**
 * Returns the regular expression of a phrase for PostgreSQL: its words in order, with one or more characters other than letters
 * and digits between them. `end` is how the last word can continue: not at all, with the ending of an English plural, or with
 * any letters. In scripts without spaces between words, such as Chinese, a phrase can begin and end within a sequence of
 * letters. Accents are composed (NFC), as in the texts of PDFs: a phrase that was copied from a file of macOS has them as
 * characters of their own.
 */
export function expressionOf(phrase: string, end: 'whole' | 'plural' | 'any' = 'whole'): string {
  const words = phrase.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const isSpaced = (letter = '') => !UNSPACED.test(letter)
  const border = { whole: '\\M', plural: '(?:e?s)?\\M', any: '' }[end]
  return `${isSpaced(words[0]?.at(0)) ? '\\m' : ''}${words.join('[^[:alnum:]]+')}${isSpaced(words.at(-1)?.at(-1)) ? border : ''}`
}
