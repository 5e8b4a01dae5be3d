const whole = new Intl.NumberFormat('en-GB')
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a count: `4,812,406`. */
export const count = (value: number) => whole.format(value)

/** Formats a count for an axis: `274k`. */
export const shortCount = (value: number) => short.format(value).toLowerCase()

/** Formats dollars: `$481.24`, or two significant digits below a cent: `$0.0041`. */
export function dollars(value: number): string {
  const size = Math.abs(value)
  const digits =
    size < 1e-9 || size >= 0.01
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 2 }
  return `$${(size < 1e-9 ? 0 : value).toLocaleString('en-GB', digits)}`
}

/** Formats a large figure: `$481.24`, or `under $0.01` below a cent. */
export const roundedDollars = (value: number) => (value >= 1e-9 && value < 0.01 ? 'under $0.01' : dollars(value))

/** Formats megabytes: `1,204.5 MB`. */
export const megabytes = (value: number) =>
  `${value.toLocaleString('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`

/** Formats a UTC day: `March 3, 2026`. */
export const longDay = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })
