import { setTimeout as pause } from 'node:timers/promises'
import { embeddingModel } from '#server/ai/index.ts'
import { asSystem, type Tx } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { enqueue, waitForEnd } from '#server/queue/queue.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { countStale, findNextStale, isRenewalPaused, storeRenewalPaused } from './queries.ts'

/** Pauses in ms: if there is no document to vectorize; while jobs wait or run, or the renewal is paused. */
const IDLE_MS = 30_000
const BUSY_MS = 2_000

let stopping: AbortController | undefined
let running: Promise<void> | undefined

/**
 * Vectorizes documents with vectors of another model again, one at a time, newest first, while no other job waits or runs.
 * Such documents are searched by words meanwhile. Each is an ordinary job of its owner; one that fails or is cancelled is
 * not repeated before its job is deleted after a week.
 */
export function startRenewal(): void {
  stopping = new AbortController()
  running = renew(stopping.signal)
}

/** Ends the renewal of vectors in this process, and waits until its loop has stopped. */
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

/** Returns the started job, or the time in ms after which to try again. */
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

/** Returns the model of new vectors, and how many documents have vectors of another one. */
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

/** Pauses or continues the renewal, in all processes. A running document is completed. */
export const changeRenewal = (tx: Tx, isPaused: boolean): Promise<void> => storeRenewalPaused(tx, isPaused)
