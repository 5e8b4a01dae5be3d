/** Encodes a value for use as one segment of the path of a URL. */
export const seg = encodeURIComponent

/**
 * Returns the path with the parameters as its query. Undefined and '' are omitted; an array repeats its key for each element.
 */
export function query(path: string, params: Record<string, string | number | readonly string[] | undefined>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    if (typeof value === 'object') for (const one of value) search.append(key, one)
    else if (value !== undefined && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}
