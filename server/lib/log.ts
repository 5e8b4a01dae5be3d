import pino from 'pino'
import { describeError, scrub } from './describe-error.ts'
import { env } from './env.ts'
import { currentRequest } from './request-context.ts'

/** The number of the level 'error' of pino. Unexpected errors have this level. */
const ERROR = 50
let listener: ((line: Record<string, unknown>) => void) | undefined

/**
 * Calls `listen` with every log line of the level error or higher. E-mail addresses and tokens are removed from the line. Call
 * it once.
 */
export function onErrorLine(listen: (line: Record<string, unknown>) => void): void {
  listener = listen
}

function write(line: string): string {
  const clean = scrub(line)
  const level = Number(/^\{"level":(\d+)/.exec(line)?.[1])
  if (listener && level >= ERROR) listener(JSON.parse(clean) as Record<string, unknown>)
  return clean
}

/**
 * The log. Writes JSON lines to standard error, because standard output contains only the line that the server is ready. Every
 * line of a request has the request's id. Never log a secret, a title or the text of a paper. Values in errors are removed, and
 * text that looks like an e-mail address or a token is masked.
 */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    // Time and level are enough; operators know the name of the machine.
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['password', '*.password', 'headers.authorization', 'headers.cookie'],
    serializers: { err: describeError, error: describeError },
    mixin: () => ({ ...currentRequest() }),
    hooks: { streamWrite: write },
  },
  pino.destination(2),
)
