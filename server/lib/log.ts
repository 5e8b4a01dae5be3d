import pino from 'pino'
import { describeError, scrub } from './describe-error.ts'
import { env } from './env.ts'
import { currentRequest } from './request-context.ts'

/**
 * The log: JSON lines on standard error, so that standard output holds the ready line alone. Every line of a request
 * carries its id. Never given a secret, a title or a paper's text; what an error repeats of them is left out, and what
 * looks like an e-mail address or a token does not get through.
 */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    // Time and level say it all; the name of the machine is known to who reads its log.
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['password', '*.password', 'headers.authorization', 'headers.cookie'],
    serializers: { err: describeError, error: describeError },
    mixin: () => ({ ...currentRequest() }),
    hooks: { streamWrite: scrub },
  },
  pino.destination(2),
)
