import type { CslName } from '#shared/contract/references.ts'
import { splitName } from './split-name.ts'

/** Matches the affiliation symbols after a name, as on the first page of a paper. */
const MARKS = /[\s\d*†‡§¶#,]+$/u

/**
 * Returns the names of a pasted list: one in each line, or separated by semicolons, or by commas and 'and'. A comma in
 * 'Family, Given' separates no names, unless both parts have several words.
 */
export function listedNames(text: string): CslName[] {
  const parts = text
    .split(/[\n;]|\s+(?:and|&)\s+/u)
    .flatMap(commaSeparated)
    .map((part) =>
      part
        .replace(/^(?:and|&)\s+|\s+(?:and|&)$/gu, '')
        .replace(MARKS, '')
        .trim(),
    )
    .filter((part) => /\p{L}/u.test(part))
  return parts.map(splitName)
}

/** Splits at commas if each part has at least two words, as in 'Ada Lovelace, Mary Somerville'. Other text is one name. */
function commaSeparated(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  // A part without a letter belongs to the marks after a name, such as '1,2'.
  const names = parts.filter((part) => /\p{L}/u.test(part))
  const isList = names.length > 1 && names.every((part) => /\S\s+\S/u.test(part))
  return isList ? names : [text]
}
