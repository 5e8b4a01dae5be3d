/** An error as logged: the failure and its place, without the values. */
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
 * Describes an error for the log. Messages, parameters and details of database errors repeat user data: only the
 * statement, the code and the names of table and constraint remain.
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

/** Returns the stack frames only: the first part of a stack repeats the message. */
const frames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** Removes the query of URLs: it may contain a key, a token or search words. */
const withoutQuery = (text: string): string => text.replaceAll(/(https?:\/\/[^\s?"']+)\?[^\s"']*/g, '$1?…')

/**
 * Replaces the e-mail addresses, API keys, bearer tokens and secrets of URLs in a log line by placeholders. Last safeguard,
 * applied to every line.
 */
export const scrub = (line: string): string =>
  line
    .replaceAll(/[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]')
    .replaceAll(/\blct_[0-9A-Za-z]{8}_[\w-]{20,}/g, 'lct_[secret]')
    .replaceAll(/\b(bearer\s+|(?:token|code|key|secret|password)=)[\w.~+/=%-]{8,}/gi, '$1[secret]')
