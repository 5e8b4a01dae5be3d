/** The start of a formula in spreadsheets (OWASP: CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const QUOTED = /[",\r\n]/

/**
 * Returns one line of a CSV file (RFC 4180), with its line break. Texts that a spreadsheet would run as a formula get
 * an apostrophe, so that it shows them as text; numbers are unchanged.
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
