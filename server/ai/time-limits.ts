/**
 * Time limits and retries of calls to the provider, and time limits of the built-in models. All values except `tries` are in
 * milliseconds. The values are read at every call, so that tests can shorten the waits without fake timers.
 */
export const timeLimits = {
  /** From sending a request to the first byte of its answer. Chat calls are streamed, so this is not the whole call. */
  firstByteMs: 60_000,
  /** Between two pieces of a streamed answer. */
  idleMs: 60_000,
  wholeCallMs: 300_000,
  /** Time limit of the request for the list of models: a user waits for it. */
  listModelsMs: 10_000,
  tries: 3,
  /** First pause before a retry; doubles, with jitter. */
  backoffMs: 500,
  /** The longest pause that a provider can request within a call; beyond it the job queue retries later. */
  longestWaitMs: 60_000,
  /** Time limit of every built-in task except embedding, such as the analysis of one paper. */
  builtInMs: 60_000,
  /** How long an idle worker thread for analyses runs before it ends. */
  builtInAnalysisIdleMs: 10_000,
  /** Time limit of a batch of texts. A large model of EMBEDDING_MODEL_DIR can be a hundred times slower than the built-in one. */
  builtInEmbedMs: 600_000,
  /** How long an idle worker thread with the sentence model runs before it ends. */
  builtInIdleMs: 60_000,
}
