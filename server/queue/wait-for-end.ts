import { onNotice } from '#server/events/listen.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { findJob, presentJob } from './job-queries.ts'

/**
 * Waits until a job has ended in any process. The end is notified, not polled. Returns undefined if the job was deleted. Throws
 * the reason of `signal` when the signal is aborted.
 */
export async function waitForEnd(jobId: string, signal: AbortSignal): Promise<Job | undefined> {
  for (;;) {
    const notice = Promise.withResolvers<void>()
    // Prevents an unhandled rejection: an abort can reject the promise while the row is read.
    notice.promise.catch(() => undefined)
    const abort = () => notice.reject(signal.reason)
    const stopListening = onNotice((channel, text) => {
      if (channel === 'reconnected' || text === jobId) notice.resolve()
    })
    signal.addEventListener('abort', abort)
    try {
      signal.throwIfAborted()
      // Read after the listener is registered, so that an end in between is not missed.
      const row = await findJob(jobId)
      if (!row?.finished_at) await (row && notice.promise)
      if (!row || row.finished_at) return row && presentJob(row)
    } finally {
      signal.removeEventListener('abort', abort)
      stopListening()
    }
  }
}
