import { type NameList, readNames } from './author-names.ts'

/**
 * Matches the characters that OCR reads instead of the superscript marks, or of an icon, after a name: 'Ann Bee®’, Carl Dee?'.
 */
const SYMBOLS =
  /(?<=[\p{L}.])(?:\s?[®©?!°"“”'’‘<>«»*†‡§¶¥^~\d]{1,8}){1,3}(?=\s*(?:[,;·•]|$)|\s(?:and|und|et|y|&|[-–—.])(?:\s|$))/gu
/** Matches the beginning of the affiliations after the names in the same line: 'Department of', or a mark and a name. */
const AFFILIATIONS =
  /\s(?=(?:Department|Institut|School|Facult|Universit|Cent(?:er|re)|Laborator|Division|College|Hospital)\p{L}*\s|[!*%†‡§\d]\s\p{Lu})/u

/** Minimum share of names that are not common words of the paper. */
const MOST_UNCOMMON = 0.7

/**
 * Returns the names in a row that consists of two or more names and nothing else, such as 'Ann Bee”, Carl Dee? and Eve Eff®' or
 * 'Ann Bee - Carl Dee'. Returns null for any other row.
 */
export function readNameRow(row: string, isCommonWord: (word: string) => boolean): NameList | null {
  const plain = row.replace(SYMBOLS, ' ').replace(/\s[-–—.](?:\s|$)/g, ' · ')
  const list = readNames(plain)
  const isRow = list.share === 1 && list.names.length > 1 && !row.includes(':')
  return isRow && readNames(plain, isCommonWord).share >= MOST_UNCOMMON ? list : null
}

/**
 * Reads the authors' names in the first lines of a block of text from OCR. If the block has more lines, the line after the
 * names must begin with an affiliation. Returns null unless the first lines consist of two or more names and nothing else,
 * because a misread name would otherwise be missing in the list.
 */
export function readOcrNames(lines: readonly string[], isCommonWord: (word: string) => boolean): NameList | null {
  for (let end = lines.length; end > 0; end--) {
    const [row = '', affiliations] = lines.slice(0, end).join(' ').split(AFFILIATIONS)
    const next = affiliations ?? lines[end]
    if (next !== undefined && !AFFILIATIONS.test(` ${next} `)) continue
    const list = readNameRow(affiliations !== undefined && end === 1 ? row.replace(/[\s,;]+$/, '') : row, isCommonWord)
    if (list && (!list.isOpen || next === undefined)) return list
  }
  return null
}

/**
 * Returns whether a row of names contains a character such as '®' directly after a letter, which occurs only in text from OCR.
 * A part of such a row that is not recognized as a name is probably a misread name.
 */
export const isMisread = (row: string) => /\p{L}[?®¢¥«»<>=]/u.test(row)
