/** Matches a character with which a formula begins: a spreadsheet runs such a cell (OWASP: CSV injection). */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`
/**
 * Matches a formula at the start of a cell or after a semicolon. In many languages, a spreadsheet separates cells at
 * semicolons.
 */
const FORMULA = new RegExp(`(^|;)(\\s*${SIGN}[^;]*)`, 'g')
const ESCAPED = new RegExp(`(^|;)'(?=\\s*${SIGN}|[\\t\\r\\n])`, 'g')
const NUMBER = /^-\d+(?:[.,]\d+)?$/

/**
 * Returns the text of a cell of a CSV file so that a spreadsheet runs no formula in it, whether the spreadsheet separates cells
 * at commas or semicolons. An apostrophe before a formula makes it text. Plain negative numbers are unchanged (requirement
 * FMT-54).
 */
export function harmlessCell(text: string): string {
  const safe = text.replaceAll(FORMULA, (all, start: string, part: string) =>
    NUMBER.test(part.trim()) ? all : `${start}'${part}`,
  )
  return /^[\t\r\n]/.test(safe) ? `'${safe}` : safe
}

/** Returns the text of a cell without the apostrophes of `harmlessCell`. */
export const originalCell = (cell: string): string => cell.replaceAll(ESCAPED, '$1')
