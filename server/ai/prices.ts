import { DEFAULT_DOLLARS_PER_TOKEN } from '#shared/contract/usage.ts'

/**
 * List prices in US dollars per million tokens of the request and of the answer. Providers change prices, so these are
 * estimates.
 */
const DOLLARS_PER_MILLION: Readonly<Record<string, readonly [tokensIn: number, tokensOut: number]>> = {
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'gpt-4.1': [2, 8],
  'gpt-4.1-mini': [0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.4],
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'gpt-4-turbo': [10, 30],
  'gpt-4': [30, 60],
  'gpt-3.5-turbo': [0.5, 1.5],
  o1: [15, 60],
  o3: [2, 8],
  'o3-mini': [1.1, 4.4],
  'o4-mini': [1.1, 4.4],
  'text-embedding-3-small': [0.02, 0],
  'text-embedding-3-large': [0.13, 0],
  'text-embedding-ada-002': [0.1, 0],
  'gemini-2.5-pro': [1.25, 10],
  'gemini-2.5-flash': [0.3, 2.5],
  'gemini-2.5-flash-lite': [0.1, 0.4],
  'mistral-large': [2, 6],
  'mistral-small': [0.1, 0.3],
}

/**
 * Matches a suffix of a model's id that does not change the price: a date, 'latest', 'preview' or a tag. An id with any other
 * suffix is another model.
 */
const SUFFIX = /(-\d{4}[\d-]*|-latest|-preview[\w-]*|[:@].*)$/

/** A price in US dollars per million tokens. */
export interface Price {
  dollars_in: number
  dollars_out: number
}

const MILLION = 1_000_000
const perMillion = DEFAULT_DOLLARS_PER_TOKEN * MILLION

/** The price that is assumed for a model without a known price. */
export const DEFAULT_PRICE: Price = { dollars_in: perMillion, dollars_out: perMillion }

/**
 * Returns the names under which a model's price can be listed, the most specific first: its id in lower case, the id without
 * its maker ('gpt-4o' for 'openai/gpt-4o'), and this name without a date, 'latest', 'preview' or tag.
 */
export function priceNames(model: string): string[] {
  const id = model.trim().toLowerCase()
  const name = id.split('/').at(-1) ?? ''
  return [...new Set([id, name, name.replace(SUFFIX, '')])]
}

/** Returns the list price of a model, or null when the table has none. */
export function listPrice(model: string): Price | null {
  for (const name of priceNames(model)) {
    const known = DOLLARS_PER_MILLION[name]
    if (known) return { dollars_in: known[0], dollars_out: known[1] }
  }
  return null
}

/** Returns the cost of one call in US dollars, at the given price, else the list price, else the default price. */
export function callCost(model: string, tokensIn: number, tokensOut: number, price?: Price | null): number {
  const { dollars_in, dollars_out } = price ?? listPrice(model) ?? DEFAULT_PRICE
  return (tokensIn * dollars_in + tokensOut * dollars_out) / MILLION
}
