import type { Tx } from '#server/db/client.ts'
import type { Job, JobKind } from '#shared/contract/jobs.ts'

interface JobOf<Input> {
  job: Job
  /** The account whose rows the job works on. */
  ownerId: string
  input: Input
  /** The state that an earlier attempt stored; null when none was stored. */
  state: Record<string, unknown> | null
}

/** Input of a handler. */
export interface JobRun<Input = Record<string, unknown>> extends JobOf<Input> {
  /** Fires when the job is cancelled, takes too long, or the server stops: throw then. */
  signal: AbortSignal
  /** Reports progress in percent, and a text such as 'Reading page 9 of 14'. Writes at most four times a second. */
  report: (progress: number, text?: string) => void
  /** Call it first in the transaction that stores the result. Throws when the job was cancelled or another process runs it. */
  assertStillRunning: (tx: Tx) => Promise<void>
  /** Stores the state for the next attempt, in case this process ends. Throws as `assertStillRunning` does. */
  saveState: (state: object) => Promise<void>
  /**
   * Ends this attempt, and queues the same job as one of another kind with another input; throws to leave the handler.
   * Use it when the work turns out to belong to a slower queue. Users see the same job. It fails with ALREADY_ACTIVE if the
   * document has an active job of that kind.
   */
  continueAs: (kind: JobKind, input: Input) => never
  /**
   * Returns the job to the queue for some seconds, without counting the attempt; throws to leave the handler. Use it while
   * another job must end first. Users see `text`.
   */
  postpone: (seconds: number, text: string) => never
  /**
   * Adds rows to the transaction that completes the job, so that they are written exactly once. Not called when the job
   * fails or is run elsewhere. `tx` has the role of the table owner.
   */
  atCompletion: (write: (tx: Tx) => Promise<void>) => void
}

/**
 * Input of `onFailed`. `error` is the message for users; `cancelled` is true when the owner cancelled the job, and when the
 * owner may no longer change the project.
 */
export interface FailedJob<Input = Record<string, unknown>> extends JobOf<Input> {
  error: string
  cancelled: boolean
}

/** Input of `onCompleted`. */
export type CompletedJob<Input = Record<string, unknown>> = JobOf<Input>

/** Stored as the job's result. */
type Result = Record<string, unknown> | void

/** The code that runs the jobs of a kind. */
export interface Worker<Input = Record<string, unknown>> {
  handler: (run: JobRun<Input>) => Promise<Result>
  /** Concurrent jobs in this process. Default: 1. */
  concurrency: number
  /** Time limit of an attempt, after which it is aborted and fails. Default: an hour. */
  timeLimitSeconds: number
  /**
   * Called outside any transaction before the job is shown as failed, so that the document does not stay in
   * 'processing'. Can be called twice for one job when the process ends in between.
   */
  onFailed: (failed: FailedJob<Input>) => Promise<Result>
  /** Called outside any transaction after the job is shown as completed. An error is only logged. */
  onCompleted: (completed: CompletedJob<Input>) => Promise<unknown>
}
