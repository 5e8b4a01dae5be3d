/** An error as it is logged: its kind and place, without the values of users. */
export interface DescribedError {
  type: string
  message: string
  code?: string
  constraint?: string
  table?: string
  status?: number
  stack?: string
  cause?: DescribedError
}

const DEEPEST = 4
const LONGEST = 500

/**
 * Describes an error for the log. Of a database error, only the statement, the code and the names of the table and the
 * constraint are logged, because its message, parameters and details repeat user data.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error }
  const { code, constraint, table, status, severity, query } = error as {
    code?: unknown
    constraint?: unknown
    table?: unknown
    status?: unknown
    severity?: unknown
    query?: unknown
  }
  const fromDatabase = typeof severity === 'string' && typeof code === 'string'
  const message =
    typeof query === 'string'
      ? `Failed query: ${query}`
      : fromDatabase
        ? `${severity} ${code}`
        : withoutQuery(error.message)
  return {
    type: error.name,
    message: message.slice(0, LONGEST),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(error.stack === undefined ? {} : { stack: frames(error.stack) }),
    ...(error.cause !== undefined && depth < DEEPEST ? { cause: describeError(error.cause, depth + 1) } : {}),
  }
}

/** Returns only the frames of a stack, because the first part of a stack repeats the message. */
const frames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** Removes the query from URLs, because it may contain a key, a token or search words. */
const withoutQuery = (text: string): string => text.replaceAll(/(https?:\/\/[^\s?"']+)\?[^\s"']*/g, '$1?…')

/**
 * Replaces e-mail addresses, API keys, bearer tokens and secrets in URLs by placeholders. It is applied to every line of the
 * log, as the last safeguard.
 */
export const scrub = (line: string): string =>
  line
    .replaceAll(/[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]')
    .replaceAll(/\blct_[0-9A-Za-z]{8}_[\w-]{20,}/g, 'lct_[secret]')
    .replaceAll(/\b(bearer\s+|(?:token|code|key|secret|password)=)[\w.~+/=%-]{8,}/gi, '$1[secret]')
