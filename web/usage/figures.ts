/** Formats a count in short form, for the axis of a chart: `274k`. */
export const shortCount = (value: number) =>
  value.toLocaleString('en-GB', { notation: 'compact', maximumFractionDigits: 1 }).toLowerCase()

/** Formats an amount in US dollars: `$481.24`. An amount below a cent has two significant digits: `$0.0042`. */
export function dollars(value: number): string {
  const size = Math.abs(value)
  const digits =
    size < 1e-9 || size >= 0.01
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 2 }
  return `$${(size < 1e-9 ? 0 : value).toLocaleString('en-GB', digits)}`
}

/** Formats an amount in US dollars: `$481.24`, or `under $0.01` for an amount that is below a cent but not 0. */
export const roundedDollars = (value: number) => (value >= 1e-9 && value < 0.01 ? 'under $0.01' : dollars(value))

/** Formats megabytes: `1,204.5 MB`. */
export const megabytes = (value: number) =>
  `${value.toLocaleString('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`

/** Formats a day in UTC (YYYY-MM-DD) as `March 3, 2026`. */
export const longDay = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })
