import { AppError } from '#server/lib/errors.ts'

/** Maximum number of values in a JSON body. The largest legitimate body has 50,000 passages with three fields each. */
const MAX_VALUES = 300_000
/** Maximum depth of nested values in a JSON body. Legitimate bodies have only a few levels. */
const MAX_LEVELS = 60

/**
 * Parses a large JSON body in a worker. Throws 'refused' for more than 300,000 values or 60 levels, because millions of values
 * would block the main thread while it receives them. Throws a SyntaxError for bytes that are not JSON.
 */
export function parseBody(bytes: Uint8Array): unknown {
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
  let count = 0
  const visit = (value: unknown, level: number) => {
    count += 1
    if (count > MAX_VALUES || level > MAX_LEVELS)
      throw new AppError('refused', 'This request is too complex. Send less data at a time.')
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) visit(part, level + 1)
  }
  visit(body, 0)
  return body
}
