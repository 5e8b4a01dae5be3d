import { setTimeout as pause } from 'node:timers/promises'
import { embeddingModel } from '#server/ai/index.ts'
import { asSystem, type Tx } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { enqueue, waitForEnd } from '#server/queue/queue.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { countStale, findNextStale, isRenewalPaused, storeRenewalPaused } from './queries.ts'

/**
 * Time in ms after which the loop looks for work again: IDLE_MS if there is no document to vectorize, BUSY_MS while other jobs
 * wait or run or while the renewal is paused.
 */
const IDLE_MS = 30_000
const BUSY_MS = 2_000

let stopping: AbortController | undefined
let running: Promise<void> | undefined

/**
 * Starts a loop that vectorizes again all documents whose vectors come from another model than the current one. The loop
 * vectorizes one document at a time, newest first, while no other job waits or runs; waiting jobs of paused uploads do not
 * count. Documents that still have the old vectors are searched by words only. Each document gets an ordinary job of its owner.
 * If the job fails or is cancelled, the loop skips the document until the job is deleted after a week.
 */
export function startRenewal(): void {
  stopping = new AbortController()
  running = renew(stopping.signal)
}

/** Stops the renewal of vectors in this process, and waits until its loop has ended. */
export async function stopRenewal(): Promise<void> {
  stopping?.abort()
  await running
}

async function renew(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const next = await startNext()
      if (typeof next === 'number') await pause(next, undefined, { signal, ref: false })
      else await waitForEnd(next.id, signal)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error }, 'documents could not be vectorized again')
      await pause(IDLE_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

/**
 * Starts the job for the next document and returns it. If no job can be started, returns the time in ms after which to try
 * again.
 */
async function startNext(): Promise<Job | number> {
  const { model, hasVectors, isFree } = embeddingModel()
  if (!hasVectors) return IDLE_MS
  return asSystem(async (tx) => {
    if ((await isRenewalPaused(tx)) ?? !isFree) return BUSY_MS
    const found = await findNextStale(tx, model)
    if (!found) return IDLE_MS
    if (found.isBusy) return BUSY_MS
    const { id: documentId, owner_id: ownerId, project_id: projectId } = found
    return enqueue(tx, { kind: 'vectorize', ownerId, documentId, projectId, input: {} })
  })
}

/**
 * Returns the model for new vectors, the number of vectorized documents, the number of those with vectors of another model, and
 * whether the renewal is paused.
 */
export async function readRenewal(tx: Tx): Promise<SystemStatus['vectors']> {
  const { model, hasVectors, isFree } = embeddingModel()
  const counts = await countStale(tx, model)
  return {
    model: hasVectors ? model : null,
    documents: counts.documents,
    stale: hasVectors ? counts.stale : 0,
    is_paused: (await isRenewalPaused(tx)) ?? !isFree,
  }
}

/** Pauses or continues the renewal of vectors in all processes. The document that is being vectorized is completed. */
export const changeRenewal = (tx: Tx, isPaused: boolean): Promise<void> => storeRenewalPaused(tx, isPaused)
