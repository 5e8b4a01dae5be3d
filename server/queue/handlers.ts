import type { Tx } from '#server/db/client.ts'
import type { Job, JobKind } from '#shared/contract/jobs.ts'

/** Input of a handler. `signal` fires when the job is cancelled, takes too long, or the server stops: throw then. */
export interface JobRun<Input = Record<string, unknown>> {
  job: Job
  /** The account whose rows the job works on. */
  ownerId: string
  input: Input
  signal: AbortSignal
  /** Reports progress in percent, and a text such as 'Reading page 9 of 14'. Writes at most four times a second. */
  report: (progress: number, text?: string) => void
  /**
   * First call in the transaction that stores the result. Throws when the job was cancelled or passed to another
   * process.
   */
  guard: (tx: Tx) => Promise<void>
  /**
   * Adds rows to the transaction that completes the job, so that they are written exactly once. Not called when the job
   * fails or was passed to another process. `tx` has the role of the table owner.
   */
  atCompletion: (write: (tx: Tx) => Promise<void>) => void
  /** The state that an earlier attempt stored; null in the first attempt. */
  state: Record<string, unknown> | null
  /** Stores the state for the next attempt, in case this process ends. Throws as `guard` does. */
  keepState: (state: object) => Promise<void>
}

export interface FailedJob<Input = Record<string, unknown>> {
  job: Job
  ownerId: string
  input: Input
  /** Message for users. */
  error: string
  /** True when the owner cancelled the job. */
  cancelled: boolean
  /** The state that the last attempt stored. */
  state: Record<string, unknown> | null
}

export interface WorkOptions<Input> {
  /** Concurrent jobs of this kind in this process. Default: 1. */
  concurrency?: number
  /** Time limit of an attempt, after which it is aborted and fails. Default: an hour. */
  timeLimitSeconds?: number
  /**
   * Called outside any transaction before the job is shown as failed, so that the document does not stay in
   * 'processing'. Can be called twice for one job when the process ends in between. The return value is stored as the
   * job's result.
   */
  onFailed?: (failed: FailedJob<Input>) => Promise<Record<string, unknown> | void>
}

/** Runs a job. The return value is stored as the job's result. */
export type Handler<Input> = (run: JobRun<Input>) => Promise<Record<string, unknown> | void>

/** A handler without the type of its input, which the same room's `enqueue` stored. */
export interface Registered {
  handler: Handler<Record<string, unknown>>
  concurrency: number
  timeLimitSeconds: number
  onFailed: (failed: FailedJob) => Promise<Record<string, unknown> | void>
}

/** A job that completed. */
export interface CompletedJob {
  job: Job
  ownerId: string
  input: Record<string, unknown>
}

/** Follow-up of completed jobs, by kind. */
export const followers = new Map<JobKind, (completed: CompletedJob) => Promise<unknown>>()

/** The handlers of this process, by kind. */
export const handlers = new Map<JobKind, Registered>()
