/**
 * Time limits and retries of calls to the provider. Milliseconds unless the name says otherwise. Read at every call, so
 * that tests can shorten the waits without fake timers.
 */
export const timeLimits = {
  /** From sending a request to the first byte of its answer. Chat calls are streamed, so this is not the whole call. */
  firstByteMs: 60_000,
  /** Between two pieces of a streamed answer. */
  idleMs: 60_000,
  wholeCallMs: 300_000,
  /** A user waits for the list of models. */
  listModelsMs: 10_000,
  tries: 3,
  /** First pause before a retry; doubles, with jitter. */
  backoffMs: 500,
  /** The longest pause that a provider can request within a call; beyond it the job queue retries later. */
  longestWaitMs: 60_000,
  /** Time limit of the built-in analysis of one paper, and how long its idle worker thread stays. */
  builtInMs: 60_000,
  builtInAnalysisIdleMs: 10_000,
  /** Time limit of a batch of texts. A large model of EMBEDDING_MODEL_DIR can be a hundred times slower than the built-in one. */
  builtInEmbedMs: 600_000,
  /** How long an idle worker thread with the sentence model runs before it ends. */
  builtInIdleMs: 60_000,
}
