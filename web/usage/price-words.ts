import type { ModelPrice } from '#shared/contract/usage.ts'

const amount = (dollars: number) =>
  `$${dollars.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`

/** Formats a price: US dollars for a million sent and a million received tokens; 'Free', or the default rate for one token. */
export function priceWords({ dollars_in, dollars_out, source }: ModelPrice): string {
  if (source === 'free') return 'Free'
  if (source === 'default') return '$0.0001 a token'
  return `${amount(dollars_in)} / ${amount(dollars_out)} per 1M tokens`
}

/** Labels of the price sources. */
export const PRICE_SOURCES = { set: 'set here', list: 'list price', default: 'default rate', free: 'built in' } as const
