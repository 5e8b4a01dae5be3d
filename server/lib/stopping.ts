import { setMaxListeners } from 'node:events'
import { AppError } from './errors.ts'

const control = new AbortController()
// Every call that is under way listens.
setMaxListeners(0, control.signal)

/** Aborted when the server stops and has waited for the calls under way: what could last longer says so and ends. */
export const stopping: AbortSignal = control.signal

/** Ends the calls that listen to `stopping`. */
export const endLongCalls = (): void => control.abort(restarting())

/** What somebody is told whose call the end of the server cut off. */
export const restarting = () => new AppError('busy', 'The server is being restarted. Please try again in a minute.')
