/** An error as the log shows it: what failed and where, without the values it failed on. */
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
 * Describes an error for the log. Errors of the database repeat what a person wrote, in their message, their parameters
 * and their details: of those only the statement, the code and the names of table and constraint are kept.
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

/** The places alone: a stack begins with the message, which was dealt with. */
const frames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')

/** Addresses keep their path; what follows `?` may be a key, a token or what somebody looked for. */
const withoutQuery = (text: string): string => text.replaceAll(/(https?:\/\/[^\s?"']+)\?[^\s"']*/g, '$1?…')

/** Takes e-mail addresses and bearer tokens out of a line that is about to be written: the last net, whatever was logged. */
export const scrub = (line: string): string =>
  line
    .replaceAll(/[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]')
    .replaceAll(/\b(bearer\s+|(?:token|code|key|secret|password)=)[\w.~+/=%-]{8,}/gi, '$1[secret]')
