/** The rate of a provider's model that the table does not know: 0.0001 dollars a token, as the usage screen states. */
export const DEFAULT_DOLLARS_PER_TOKEN = 0.0001

/** List prices in dollars per million tokens, in and out. Providers change them: a figure here is an estimate, not a bill. */
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

/** What may follow a table name in a model's id: a date, 'latest' or 'preview', a tag. Anything else is another model. */
const SUFFIX = /(-\d{4}[\d-]*|-latest|-preview[\w-]*|[:@].*)$/

/** Dollars for one call. The maker's prefix ('openai/gpt-4o') and dated versions are read as the plain model. */
export function callCost(model: string, tokensIn: number, tokensOut: number): number {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  const price = DOLLARS_PER_MILLION[name] ?? DOLLARS_PER_MILLION[name.replace(SUFFIX, '')]
  if (!price) return (tokensIn + tokensOut) * DEFAULT_DOLLARS_PER_TOKEN
  return (tokensIn * price[0] + tokensOut * price[1]) / 1_000_000
}
