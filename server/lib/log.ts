import pino from 'pino'
import { describeError, scrub } from './describe-error.ts'
import { env } from './env.ts'
import { currentRequest } from './request-context.ts'

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
    hooks: { streamWrite: scrub },
  },
  pino.destination(2),
)
