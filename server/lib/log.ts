import pino from 'pino'
import { describeError, scrub } from './describe-error.ts'
import { env } from './env.ts'
import { currentRequest } from './request-context.ts'

/** Level of unexpected errors. */
const ERROR = 50
let listener: ((line: Record<string, unknown>) => void) | undefined

/** Calls `listen` with every line of the level error or higher, after e-mail addresses and tokens were removed. Call once. */
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
 * The log: JSON lines on standard error, so that standard output contains only the ready line. Every line of a request
 * has its id. Never log a secret, a title or a paper's text. Values in errors are removed, and texts that look like an
 * e-mail address or a token are masked.
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
