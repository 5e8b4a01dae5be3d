import type { ModelPrice } from '#shared/contract/usage.ts'

const amount = (dollars: number) =>
  `$${dollars.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`

/**
 * Formats the price of a model. '$1.00 / $3.00 per 1M tokens' is the price in US dollars for tokens sent to the model and for
 * tokens received from it. A free model is 'Free', and a model without a known price has the default rate.
 */
export function priceWords({ dollars_in, dollars_out, source }: ModelPrice): string {
  if (source === 'free') return 'Free'
  if (source === 'default') return '$0.0001 a token'
  return `${amount(dollars_in)} / ${amount(dollars_out)} per 1M tokens`
}

/** Labels for the sources of a price. */
export const PRICE_SOURCES = { set: 'set here', list: 'list price', default: 'default rate', free: 'built in' } as const
