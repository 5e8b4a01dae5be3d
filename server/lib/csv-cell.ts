/** A spreadsheet runs a cell that begins with one of these characters (OWASP: CSV injection). */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`
/** The start of a cell, and a part after a semicolon, which separates cells for a spreadsheet in many languages. */
const FORMULA = new RegExp(`(^|;)(\\s*${SIGN}[^;]*)`, 'g')
const ESCAPED = new RegExp(`(^|;)'(?=\\s*${SIGN}|[\\t\\r\\n])`, 'g')
const NUMBER = /^-\d+(?:[.,]\d+)?$/

/**
 * Returns the text of a cell of a CSV file in which a spreadsheet runs no formula, whether it separates cells by commas or
 * semicolons: an apostrophe makes it text. Plain negative numbers are unchanged (FMT-54).
 */
export function harmlessCell(text: string): string {
  const safe = text.replaceAll(FORMULA, (all, start: string, part: string) =>
    NUMBER.test(part.trim()) ? all : `${start}'${part}`,
  )
  return /^[\t\r\n]/.test(safe) ? `'${safe}` : safe
}

/** Returns the text of a cell without the apostrophes of `harmlessCell`. */
export const originalCell = (cell: string): string => cell.replaceAll(ESCAPED, '$1')
