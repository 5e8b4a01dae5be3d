import { setMaxListeners } from 'node:events'
import { AppError } from './errors.ts'

const control = new AbortController()
// Every running call listens.
setMaxListeners(0, control.signal)

/** Aborted some seconds after the server has begun to stop. Calls that still run then end with an error. */
export const stopping: AbortSignal = control.signal

let isStopping = false

/** Notes that the server stops soon: /readyz reports it from now on. */
export const drain = (): void => {
  isStopping = true
}

/** Returns whether the server stops soon. */
export const isDraining = (): boolean => isStopping

/** Ends the calls that listen to `stopping`. */
export const endLongCalls = (): void => control.abort(restarting())

/** Returns the error of a call that the server's end aborted. */
export const restarting = () => new AppError('busy', 'The server is being restarted. Please try again in a minute.')
