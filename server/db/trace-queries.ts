import type { PoolClient } from 'pg'
import { isTracing, recordSpan } from '#server/lib/tracing.ts'

const LONGEST = 1_000

/** Records a span for every statement of a new connection. Without effect when no traces are sent. */
export function traceQueries(client: PoolClient): void {
  if (!isTracing()) return
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const startedAt = performance.now()
    const answer = query(...args)
    // Cursors and calls with a callback return no promise.
    if (answer instanceof Promise) {
      const attributes = { 'db.system.name': 'postgresql', ...describe(args[0]) }
      const record = (error: string | null) =>
        recordSpan({ name: attributes['db.operation.name'], kind: 'client', attributes }, startedAt, error)
      answer.then(
        () => record(null),
        (error: { code?: string }) => record(error.code ?? 'unknown'),
      )
    }
    return answer
  }) as PoolClient['query']
}

/**
 * Returns the attributes of a span for a statement, without its values: the attributes have no parameters, and strings in the
 * statement are replaced by `?`.
 */
function describe(given: unknown) {
  const text = typeof given === 'string' ? given : (given as { text?: string } | null)?.text
  const statement = (text ?? '')
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return {
    'db.operation.name': /^\w+/.exec(statement)?.[0].toUpperCase() ?? 'QUERY',
    'db.query.text': statement.slice(0, LONGEST),
  }
}
