import type { Tx } from '#server/db/client.ts'
import type { Job, JobKind } from '#shared/contract/jobs.ts'

interface JobOf<Input> {
  job: Job
  /** The account whose rows the job works on. */
  ownerId: string
  input: Input
  /** The state that the job stored last, in this attempt or an earlier one; null when none was stored. */
  state: Record<string, unknown> | null
}

/** The argument of a handler: the job, its input, and functions for the current attempt. */
export interface JobRun<Input = Record<string, unknown>> extends JobOf<Input> {
  /** Aborted when the job is cancelled, takes too long, or the server stops. The handler must then throw. */
  signal: AbortSignal
  /** Reports the progress in percent, with a text such as 'Reading page 9 of 14'. It is stored at most four times a second. */
  report: (progress: number, text?: string) => void
  /**
   * Call it first in the transaction that stores the result. Throws if the job was cancelled, or if another process runs it.
   */
  assertStillRunning: (tx: Tx) => Promise<void>
  /**
   * Stores a state that the next attempt receives if this process ends. Throws if the job was cancelled, or if another process
   * runs it.
   */
  saveState: (state: object) => Promise<void>
  /**
   * Ends this attempt and changes the kind and the input of the job, which then waits in the queue of that kind. Always throws,
   * to leave the handler. Use it if the work belongs to a slower queue. Users see the same job. The job fails with
   * ALREADY_ACTIVE if the document has an active job of that kind.
   */
  continueAs: (kind: JobKind, input: Input) => never
  /**
   * Returns the job to the queue for some seconds, and does not count the attempt. Always throws, to leave the handler. Use it
   * if another job must end first, or if the data of the job changed while it ran. Users see `text`.
   */
  postpone: (seconds: number, text: string) => never
  /**
   * Registers `write`, which is called in the transaction that completes the job, so that its rows are written exactly once.
   * It is not called if the job fails or another process runs it. `tx` runs as the database role that owns the tables, without
   * row-level security.
   */
  atCompletion: (write: (tx: Tx) => Promise<void>) => void
}

/**
 * The argument of `onFailed`. `error` is the message for users. `cancelled` is true if the owner cancelled the job, or may no
 * longer change its project.
 */
export interface FailedJob<Input = Record<string, unknown>> extends JobOf<Input> {
  error: string
  cancelled: boolean
}

/**
 * The argument of `onCompleted`, a function of a worker that is called after a job has been completed: the job, its account,
 * its input and its last state.
 */
export type CompletedJob<Input = Record<string, unknown>> = JobOf<Input>

/** The return value of a handler. It is stored as the result of the job. */
type Result = Record<string, unknown> | void

/** The code that runs the jobs of a kind. */
export interface Worker<Input = Record<string, unknown>> {
  handler: (run: JobRun<Input>) => Promise<Result>
  /** Maximum number of jobs of the kind that run in this process at the same time. Default: 1. */
  concurrency: number
  /** Time limit of an attempt in seconds. An attempt that exceeds it is aborted, and the job fails. Default: 3,600. */
  timeLimitSeconds: number
  /**
   * Called outside any transaction before the job is shown as failed, for example to change the status of the document from
   * 'processing'. It can be called twice for a job, if the process ends in between.
   */
  onFailed: (failed: FailedJob<Input>) => Promise<Result>
  /** Called outside any transaction after the job is shown as completed. An error is only logged. */
  onCompleted: (completed: CompletedJob<Input>) => Promise<unknown>
}
