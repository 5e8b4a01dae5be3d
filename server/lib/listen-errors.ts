import { createServer } from 'node:net'
import { env } from './env.ts'
import { StartError } from './start-error.ts'

/** Instructions to the operator if the server cannot listen at its address, by error code of Node. */
const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: `Port ${env.PORT} is in use: Lectern may be running already. Stop it, or set PORT to another one.`,
  EADDRNOTAVAIL: `HOST: ${env.HOST} is no address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
  ENOTFOUND: `HOST: ${env.HOST} is no known name. Set HOST to an address of this machine.`,
  EACCES: `PORT: no right to listen on port ${env.PORT}. Set PORT to a number above 1023, and put a proxy in front.`,
}

/**
 * Returns a StartError if the server cannot listen for a reason that an operator can fix, such as a used port. Returns any
 * other error unchanged.
 */
export function asListenError(error: NodeJS.ErrnoException): Error {
  const words = LISTEN_ERRORS[error.code ?? '']
  return words === undefined ? error : new StartError(words, { cause: error })
}

/**
 * Throws a StartError, or the error of Node, if the server cannot listen at HOST and PORT. Call it before the database is
 * opened.
 */
export function checkAddress(): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', (error) => fail(asListenError(error)))
    probe.listen(env.PORT, env.HOST, () => probe.close(() => done()))
  })
}
