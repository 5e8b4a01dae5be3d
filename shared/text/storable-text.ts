/**
 * Returns text that PostgreSQL can store: removes NUL characters and replaces lone surrogates by U+FFFD. PDFs and models
 * produce both. PostgreSQL refuses NUL in any text and lone surrogates in JSON.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Returns a copy of a value in which every string, including the keys of objects, can be stored (see `storableText`). */
export function storable<T>(value: T): T
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map((one: unknown) => storable(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [storableText(key), storable(one)]))
}

/**
 * Returns the path, such as 'title.0', of the first string in a value that the database cannot store; '' for the value itself.
 * Returns null if it can store all strings.
 */
export function findUnstorable(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path.join('.') : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, one] of Object.entries(value)) {
    const found = findUnstorable(key, path) ?? findUnstorable(one, [...path, key])
    if (found !== null) return found
  }
  return null
}
