const whole = new Intl.NumberFormat('en-GB')
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** `4,812,406` */
export const count = (value: number) => whole.format(value)

/** `274k`, as an axis writes it. */
export const shortCount = (value: number) => short.format(value).toLowerCase()

/** `$481.24`; amounts under a cent with the two figures that say something, `$0.0041`. */
export function dollars(value: number): string {
  const size = Math.abs(value)
  const digits =
    size < 1e-9 || size >= 0.01
      ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 2 }
  return `$${(size < 1e-9 ? 0 : value).toLocaleString('en-GB', digits)}`
}

/** `$481.24` for one large figure; `under $0.01` below a cent. */
export const roundedDollars = (value: number) => (value >= 1e-9 && value < 0.01 ? 'under $0.01' : dollars(value))

/** `1,204.5 MB` */
export const megabytes = (value: number) =>
  `${value.toLocaleString('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`

/** `March 3, 2026`, of a day in UTC. */
export const longDay = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })
