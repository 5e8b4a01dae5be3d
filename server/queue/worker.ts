import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import type { JobKind } from '#shared/contract/jobs.ts'
import { runJob, type StopReason, stopped } from './run-job.ts'
import { take } from './queue.ts'

/** Polling interval: delayed jobs become due without a notification, and a notification can be lost. */
const LOOK_MS = 2_000

interface Worker {
  stop(): Promise<void>
}

/** Fetches jobs of one kind and runs up to `concurrency` of them at a time, until stopped. */
export function startWorker(kind: JobKind, concurrency: number): Worker {
  const running = new Map<string, { control: AbortController; ended: Promise<void> }>()
  let isStopping = false
  let looking: Promise<void> | undefined
  let lookAgain = false

  const look = () => {
    lookAgain = true
    looking ??= (async () => {
      while (lookAgain && !isStopping) {
        lookAgain = false
        const free = concurrency - running.size
        if (free <= 0) return
        for (const taken of await take(kind, free)) {
          const control = new AbortController()
          if (isStopping) control.abort(stopped('stopping'))
          const ended = runJob(kind, taken, control)
            .catch((error: unknown) => log.error({ err: error, job: taken.id }, 'a job could not be settled'))
            .finally(() => {
              running.delete(taken.id)
              look()
            })
          running.set(taken.id, { control, ended })
        }
      }
    })()
      .catch((error: unknown) => log.error({ err: error, kind }, 'the job queue cannot be read'))
      .finally(() => {
        looking = undefined
      })
  }
  const stopRun = (id: string, reason: StopReason) => running.get(id)?.control.abort(stopped(reason))
  const stopHearing = onNotice((channel, text) => {
    if (channel === CHANNELS.cancel) stopRun(text, 'cancelled')
    else if (channel === 'reconnected' || (channel === CHANNELS.job && text === kind)) look()
  })
  const timer = setInterval(look, LOOK_MS)
  look()
  return {
    async stop() {
      isStopping = true
      clearInterval(timer)
      stopHearing()
      await looking
      for (const id of running.keys()) stopRun(id, 'stopping')
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
