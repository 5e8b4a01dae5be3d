/**
 * The same text as the database can hold it: NUL is dropped, half a surrogate pair becomes U+FFFD. PDFs and models hand
 * over both; PostgreSQL takes no NUL in any text, and no half pair in JSON.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The same value with every string in it, keys included, as the database can hold it. */
export function storable<T>(value: T): T
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map((one: unknown) => storable(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [storableText(key), storable(one)]))
}

/** Where in `value` a text stands that the database cannot hold, as a dotted path ('' for the value itself); null for nowhere. */
export function findUnstorable(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path.join('.') : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, one] of Object.entries(value)) {
    const found = findUnstorable(key, path) ?? findUnstorable(one, [...path, key])
    if (found !== null) return found
  }
  return null
}
