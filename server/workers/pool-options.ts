import type { Transferable } from 'node:worker_threads'
import type { AppError } from '#server/lib/errors.ts'

/** The errors of a pool, with messages for users. */
export interface PoolErrors {
  /** The error of a task that exceeded its time limit. */
  slow: () => AppError
  /** The error of a task that exceeded the memory limit of its worker. */
  memory: (cause?: unknown) => AppError
  /** The error of a task whose worker ended unexpectedly. */
  lost: (cause?: unknown) => AppError
  /** The error of a task that is refused because too many tasks are waiting. */
  full: () => AppError
}

/** Options of a pool of worker threads: the script of the workers, the limits, and the errors. */
export interface PoolOptions {
  script: URL
  /** Maximum number of workers. A worker is started only when a task needs it. */
  size: number
  /** Maximum size of the heap and the buffers of one worker, in MB. A worker that exceeds it is ended. */
  memoryMb: number
  /** Maximum number of waiting tasks of all users. Further tasks are refused. */
  queueLimit: number
  /** Maximum number of waiting tasks of one user. Further tasks of the user are refused. Default: queueLimit. */
  personLimit?: number
  /**
   * Maximum number of tasks that are not brief and run at the same time. A value below `size` reserves workers for brief tasks.
   * Default: size.
   */
  longAtOnce?: number
  /**
   * Number of waiting brief tasks from which another worker is started. The start of a worker takes longer than a few brief
   * tasks. Default: 1.
   */
  worthAnother?: number
  /** Time in ms after which an idle worker is ended. */
  idleMs: number
  /**
   * Time in ms after which an idle worker is ended if another worker is also idle, because one idle worker is enough for the
   * next task. At most `idleMs`. Default: 2,000.
   */
  spareIdleMs?: number
  /**
   * Time in ms in which a worker can exit after it has received `END_MESSAGE`. For workers that run native code: ending their
   * thread within native code would abort the process. Default: the worker is ended at once.
   */
  graceMs?: number
  /**
   * If true, time limits apply to the processor time of the process, divided by the number of running tasks, so that a task on
   * a busy machine is not ended early. The elapsed time may be at most `WALL_FACTOR` times the limit. Default: limits apply to
   * elapsed time.
   */
  countsProcessorTime?: boolean
  errors: PoolErrors
}

/** Options of one task of a worker pool, such as its user and its time limit. */
export interface TaskOptions {
  /** The user of the task, because users are served in turn. All tasks without a user count as tasks of one user. */
  person?: string | null | undefined
  /** Maximum time of the work in ms, without the time in the queue. A worker that exceeds it is ended. */
  timeoutMs: number
  /**
   * True for a task that ends by itself within about a second. It may use the workers that `longAtOnce` reserves. If it is
   * aborted, its worker is not ended, but finishes the task.
   */
  isBrief?: boolean
  signal?: AbortSignal | undefined
  onProgress?: (progress: unknown) => void
  /** Buffers of the task that are transferred to the worker without a copy. */
  transfer?: readonly Transferable[]
}
