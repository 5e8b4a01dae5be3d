import type { Tx } from '#server/db/client.ts'
import type { Job, JobKind } from '#shared/jobs.ts'

/** What a handler is given. `signal` fires when the job is cancelled, takes too long, or the server stops: throw then. */
export interface JobRun<Input = Record<string, unknown>> {
  job: Job
  /** Whose rows the job works on. */
  ownerId: string
  input: Input
  signal: AbortSignal
  /** Progress in percent, and words such as 'Reading page 9 of 14'. As often as you like: passed on four times a second. */
  report: (progress: number, text?: string) => void
  /** First call in the transaction that stores the result: throws when the job was cancelled or given to another process meanwhile. */
  guard: (tx: Tx) => Promise<void>
  /**
   * Adds rows to the transaction in which the job becomes completed: written exactly once, whichever process ends the job. Not
   * called when the job fails or was given to another process. `tx` is the owner's.
   */
  atCompletion: (write: (tx: Tx) => Promise<void>) => void
  /** What an earlier attempt kept; null in the first one. */
  state: Record<string, unknown> | null
  /** Keeps how far the work is for the next attempt, should this one end with its process. Throws as `guard` does. */
  keepState: (state: object) => Promise<void>
}

export interface FailedJob<Input = Record<string, unknown>> {
  job: Job
  ownerId: string
  input: Input
  /** Words for a person. */
  error: string
  /** Its owner stopped it: nothing went wrong. */
  cancelled: boolean
  /** What the last attempt kept. */
  state: Record<string, unknown> | null
}

export interface WorkOptions<Input> {
  /** Jobs of this kind at a time in this process; 1 by default. */
  concurrency?: number
  /** An attempt that takes longer is stopped and has failed; an hour by default. */
  timeLimitSeconds?: number
  /**
   * Called outside any transaction before the job is shown as failed, so that the document never stays in 'processing'. May be
   * called twice for one job when the process ends in between. What it returns is kept as the job's result.
   */
  onFailed?: (failed: FailedJob<Input>) => Promise<Record<string, unknown> | void>
}

/** Does the work; what it returns is kept as the job's result. */
export type Handler<Input> = (run: JobRun<Input>) => Promise<Record<string, unknown> | void>

/** A handler whose input was stored by the same room's `enqueue`. */
export interface Registered {
  handler: Handler<Record<string, unknown>>
  concurrency: number
  timeLimitSeconds: number
  onFailed: (failed: FailedJob) => Promise<Record<string, unknown> | void>
}

/** A job that ended well. */
export interface CompletedJob {
  job: Job
  ownerId: string
  input: Record<string, unknown>
}

/** What is to follow a completed job, by kind. */
export const followers = new Map<JobKind, (completed: CompletedJob) => Promise<unknown>>()

/** The handlers of this process by kind. */
export const handlers = new Map<JobKind, Registered>()
