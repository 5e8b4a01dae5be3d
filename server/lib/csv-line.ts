import { harmlessCell } from '#server/lib/csv-cell.ts'

const QUOTED = /[",\r\n]/

/**
 * Returns one line of a CSV file (RFC 4180), with its line break. A text that a spreadsheet would run as a formula gets an
 * apostrophe, so that the spreadsheet shows the text instead; numbers are unchanged.
 */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const harmless = harmlessCell(value)
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
