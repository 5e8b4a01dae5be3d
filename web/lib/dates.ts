/** A short local date (year, abbreviated month, day); what cannot be read comes back unchanged. */
export function shortDate(value: string): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return value
  return date.toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' })
}

/** A publication date as `MMMM dd, yyyy`: two digits for the day, no shift by the reader's time zone. */
export function publicationDate(value: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(value)
  if (!parts) return value
  const date = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))
  return date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: '2-digit' })
}

/** `1 document`, `42 documents`. */
export const counted = (count: number, word: string) =>
  `${count.toLocaleString('en-GB')} ${word}${count === 1 ? '' : 's'}`
