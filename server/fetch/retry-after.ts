/**
 * Returns the pause that a response requests, in milliseconds from now, or undefined. Reads Retry-After in seconds or as a date
 * (RFC 9110, 10.2.3), and retry-after-ms of OpenAI, which is more exact.
 */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const exact = readNumber(headers.get('retry-after-ms'))
  if (exact !== undefined) return exact
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = readNumber(text)
  const wait = seconds === undefined ? Date.parse(text) - now : seconds * 1000
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

const readNumber = (text: string | null) =>
  text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
