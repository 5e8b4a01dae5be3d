import type { ModelPrice } from '#shared/usage.ts'

/** A price as one line: for a million tokens that are sent, and that come back. */
export function priceWords({ dollars_in, dollars_out, source }: ModelPrice): string {
  if (source === 'free') return 'Free'
  return source === 'default' ? '0.0001 a token' : `${dollars_in} / ${dollars_out}`
}

/** Who says so, in the words of the page. */
export const PRICE_SOURCES = { set: 'set here', list: 'list price', default: 'default rate', free: 'built in' } as const
