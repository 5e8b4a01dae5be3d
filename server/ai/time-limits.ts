/**
 * Time limits and retries of calls to the provider, and time limits of the built-in models. All values except `tries` are in
 * milliseconds. The values are read at every call, so that tests can shorten the waits without fake timers.
 */
export const timeLimits = {
  /**
   * Time from the request to the first byte of the answer. Answers of chat models are streamed, so the whole call can take
   * longer.
   */
  firstByteMs: 60_000,
  /** Time between two pieces of a streamed answer. */
  idleMs: 60_000,
  wholeCallMs: 300_000,
  /** Time limit of the request for the list of models. It is short, because a user waits for the list. */
  listModelsMs: 10_000,
  tries: 3,
  /** Delay in ms before the first retry. Each further delay is twice as long, with a random deviation. */
  backoffMs: 500,
  /**
   * Longest delay in ms between attempts that a provider can request. If it requests a longer one, the call fails and the job
   * queue retries it later.
   */
  longestWaitMs: 60_000,
  /** Time limit of every built-in task except embedding, such as the analysis of one paper. */
  builtInMs: 60_000,
  /** Time after which an idle worker thread for analyses ends. */
  builtInAnalysisIdleMs: 10_000,
  /**
   * Time limit for embedding a batch of texts. A large model in the folder EMBEDDING_MODEL_DIR can be a hundred times slower
   * than the built-in model.
   */
  builtInEmbedMs: 600_000,
  /** Time after which an idle worker thread with the sentence model ends. */
  builtInIdleMs: 60_000,
}
