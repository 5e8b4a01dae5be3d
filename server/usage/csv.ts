/** What a spreadsheet takes for the beginning of a formula (OWASP: CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const QUOTED = /[",\r\n]/

/**
 * One line of a CSV file (RFC 4180), with its end. Words that a spreadsheet would run as a formula get an apostrophe, which
 * it shows as plain text; numbers are written as they are.
 */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
