import { setMaxListeners } from 'node:events'
import { AppError } from './errors.ts'

const control = new AbortController()
// Every running call listens.
setMaxListeners(0, control.signal)

/**
 * A signal that is aborted some seconds after the server has begun to stop. Calls that are still running then end with an
 * error.
 */
export const stopping: AbortSignal = control.signal

let isStopping = false

/** Records that the server will stop soon. From then on, /readyz reports it. */
export const drain = (): void => {
  isStopping = true
}

/** Returns whether the server will stop soon: `drain` was called. */
export const isDraining = (): boolean => isStopping

/** Aborts the signal `stopping`, so that long calls end. */
export const endLongCalls = (): void => control.abort(restarting())

/** Returns the error for a call that is aborted because the server stops. */
export const restarting = () => new AppError('busy', 'The server is being restarted. Please try again in a minute.')
