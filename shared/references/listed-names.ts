import type { CslName } from '#shared/contract/references.ts'
import { splitName } from './split-name.ts'

/** Matches the affiliation symbols after a name, as on the first page of a paper. */
const MARKS = /[\s\d*†‡§¶#,]+$/u
const INITIALS = /^(?:\p{Lu}\.?-?)+$/u
/**
 * Frequent given names, without accents, of languages in which a family name has two words. Names that are also frequent as
 * family names, such as Martín or Kim, are not in the list.
 */
const GIVEN_NAMES = new Set(
  (
    'adriana alberto alejandra alejandro alfredo ana andrea andres angel angela antonia antonio armando arturo beatriz ' +
    'camila carla carlos carmen carolina catalina cecilia claudia cristina daniel daniela david diana diego eduardo elena ' +
    'emilio enrique ernesto esther eugenia eva felipe fernanda fernando francisco gabriel gabriela gerardo gloria guadalupe ' +
    'guillermo gustavo hector ignacio ines irene isabel jaime javier jesus joao joaquin jorge jose josefina juan juana julia ' +
    'julio laura leonardo leticia lourdes lucia luis luisa luiz manuel manuela marcela marcelo margarita maria mariana mario ' +
    'marta mercedes miguel monica natalia nuria oscar pablo patricia paula paulo pedro pilar rafael ramon raquel raul ricardo ' +
    'roberto rodrigo rosa rosario ruben sandra sergio silvia sofia sonia susana teresa valentina veronica victoria ' +
    'anh bich cuong dung duc hanh hien hieu hoa huong khanh linh minh nga ngoc nhung oanh phuong quang quynh ' +
    'thanh thi thu thuy trang trung tuan tuyet uyen viet vinh xuan'
  ).split(' '),
)

/**
 * Returns the names of a pasted list. The names are in separate lines, or are separated by semicolons or 'and'. Commas are
 * parts of names ('Family, Given') if the text has semicolons, or if there are several names with exactly one comma each.
 * Otherwise commas separate names if each part between commas has at least two words. Exception: two parts that `isFamilyFirst`
 * recognizes are one name ('Family Family, Given Given').
 */
export function listedNames(text: string): CslName[] {
  const segments = text.split(/[\n;]|\s+(?:and|&)\s+/u).filter((segment) => /\p{L}/u.test(segment))
  const hasOneComma = (segment: string) => segment.split(',').length === 2 && !/[\d*†‡§¶#]|,\s*$/u.test(segment)
  const areFamilyFirst = text.includes(';') || (segments.length > 1 && segments.every(hasOneComma))
  const parts = (areFamilyFirst ? segments : segments.flatMap(commaSeparated))
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
  const isList = names.length > 1 && names.every((part) => /\S\s+\S/u.test(part)) && !isFamilyFirst(parts)
  return isList ? names : [text]
}

/**
 * Returns whether 'A, B' is the name of one person with the family name first, as in 'García Márquez, Gabriel José': A begins
 * with a particle, or B has only given names and initials and A begins with a family name. `parts` are A and B.
 */
export function isFamilyFirst([family = '', given, ...others]: readonly string[]): boolean {
  if (given === undefined || others.length > 0) return false
  if (/^(?:\p{Ll}|(?:Van|Von|De) (?:de[nr]?|las?|los|het|'t) )/u.test(family)) return true
  const words = given.split(/\s+/).filter((word) => !/^(?:de|del|la|las|los)$/.test(word))
  return words.every((word) => isGiven(word) || INITIALS.test(word)) && !isGiven(family.split(/\s+/)[0]!)
}

const isGiven = (word: string) =>
  GIVEN_NAMES.has(word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('đ', 'd'))
