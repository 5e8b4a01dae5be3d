import type { Transferable } from 'node:worker_threads'
import type { AppError } from '#server/lib/errors.ts'

/** The errors of a pool, with messages for users. */
export interface PoolErrors {
  /** A task exceeded its time limit. */
  slow: () => AppError
  /** A task exceeded its worker's memory limit. */
  memory: (cause?: unknown) => AppError
  /** A worker ended within a task. */
  lost: (cause?: unknown) => AppError
  /** Too many tasks are waiting. */
  full: () => AppError
}

/** The workers, limits and errors of a pool. */
export interface PoolOptions {
  script: URL
  /** Maximum number of workers; each is started when there is work for it. */
  size: number
  /** Maximum heap and buffers of one worker, in MB; a worker above it is ended. */
  memoryMb: number
  /** Waiting tasks of all persons; further ones are refused. */
  queueLimit: number
  /** Waiting tasks of one person; further ones are refused. Default: queueLimit. */
  personLimit?: number
  /** Concurrent tasks that are not brief. Fewer than `size` reserves a worker for brief ones. Default: size. */
  longAtOnce?: number
  /** Number of waiting brief tasks that starts another worker: a start takes longer than a few of them. Default: 1. */
  worthAnother?: number
  /** Idle time after which a worker is ended, in ms. */
  idleMs: number
  /**
   * Idle time after which a worker is ended while another worker is idle too, in ms: one idle worker is enough for the next task.
   * At most `idleMs`. Default: 2,000.
   */
  spareIdleMs?: number
  /**
   * For workers that run native code, in which the end of their thread would abort the process: the worker receives
   * `END_MESSAGE` and has this time to exit by itself, in ms. Default: it is ended at once.
   */
  graceMs?: number
  /**
   * Time limits count the processor time of the process, shared by the running tasks, so that a task on a busy machine
   * is not ended early; at most `WALL_FACTOR` times the limit. Default: elapsed time.
   */
  countsProcessorTime?: boolean
  errors: PoolErrors
}

/** The user, time limit and progress of a task. */
export interface TaskOptions {
  /** The person of the task: persons are served in turn. Tasks without a person count as one person's. */
  person?: string | null | undefined
  /** Time limit from the start of the work (waiting excluded), after which the worker is ended, in ms. */
  timeoutMs: number
  /**
   * The task ends by itself within about a second: it may use the workers that `longAtOnce` keeps free, and when it is
   * aborted its worker finishes it and stays.
   */
  isBrief?: boolean
  signal?: AbortSignal | undefined
  onProgress?: (progress: unknown) => void
  /** Buffers of the task that move to the worker without a copy. */
  transfer?: readonly Transferable[]
}
