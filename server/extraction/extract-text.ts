import { AppError } from '#server/lib/errors.ts'
import { IDLE_MS, INSPECT_TIMEOUT_MS, QUEUE_LIMIT, TEXT_TIMEOUT_MS, WORKER_MEMORY_MB, workerCount } from './limits.ts'
import { READING_ERRORS } from './pool-errors.ts'
import { refusal } from './refusal.ts'
import type { Inspection, TextLayer, TextTask } from './text.worker.ts'
import { createWorkerPool } from '#server/workers/worker-pool.ts'

export interface ReadOptions {
  /** The password of the file. It is used for this call only, and never stored or logged. */
  password?: string
  /** The user id of the owner of the file. The queue serves users in turn. */
  person?: string | undefined
  signal?: AbortSignal
  onProgress?: (page: number, pages: number) => void
}

const pool = createWorkerPool({
  script: new URL('./text.worker.ts', import.meta.url),
  size: workerCount(),
  memoryMb: WORKER_MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  idleMs: IDLE_MS,
  errors: READING_ERRORS,
})

/**
 * Reads the text layer of the PDF file at `path` in a worker. Throws an AppError: 'password_required', 'password_wrong',
 * 'damaged_file', 'refused' (the file has too many pages, or exceeds the time or memory limit) or 'too_many' (the queue is
 * full). Throws the reason of the signal when aborted.
 */
export async function extractText(path: string, options: ReadOptions = {}): Promise<TextLayer> {
  const task: TextTask = { path, password: options.password }
  const onProgress = (progress: unknown) => {
    const { page, pages } = progress as { page: number; pages: number }
    options.onProgress?.(page, pages)
  }
  const result = await pool
    .run(task, { person: options.person, timeoutMs: TEXT_TIMEOUT_MS, signal: options.signal, onProgress })
    .catch(refusal)
  return result as TextLayer
}

/**
 * Returns page count and metadata of the PDF file at `path`. Throws an AppError: 'password_required', 'password_wrong',
 * 'damaged_file' (also if the file has no pages), 'refused' (it exceeds the time or memory limit) or 'too_many' (the queue is
 * full). Throws the reason of the signal when aborted.
 */
export async function inspectPdf(path: string, options: Omit<ReadOptions, 'onProgress'> = {}): Promise<Inspection> {
  const task: TextTask = { path, password: options.password, inspect: true }
  const { person, signal } = options
  const result = await pool.run(task, { person, timeoutMs: INSPECT_TIMEOUT_MS, signal }).catch(refusal)
  const inspection = result as Inspection
  if (inspection.pageCount < 1) throw new AppError('damaged_file', 'This PDF has no pages.')
  return inspection
}
