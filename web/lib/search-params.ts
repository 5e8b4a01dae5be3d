/** Parses a query string. Repeated keys become lists. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const before = found[key]
    found[key] = before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value]
  }
  return found
}

/** Serializes strings, numbers and lists of them; a list repeats its key. Omits empty strings, undefined and other values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const out = new URLSearchParams()
  for (const [key, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof one === 'number' || (typeof one === 'string' && one)) out.append(key, String(one))
  const text = out.toString()
  return text ? `?${text}` : ''
}
