import pino from 'pino'
import { env } from './env.ts'

/** The log: JSON lines on standard error, so that standard output holds the ready line alone. Never given a secret or a paper's text. */
export const log = pino(
  { level: env.LOG_LEVEL, redact: ['password', '*.password', 'headers.authorization', 'headers.cookie'] },
  pino.destination(2),
)
