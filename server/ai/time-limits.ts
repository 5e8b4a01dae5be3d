/**
 * How long the provider may take and how often it is asked again. Milliseconds unless the name says otherwise. One
 * object, read at every call, so that tests can shorten the waits without pretending the clock.
 */
export const timeLimits = {
  /** From sending a request to the first byte of its answer. Every chat call is streamed, so this is not the whole call. */
  firstByteMs: 60_000,
  /** Between two pieces of a streamed answer. */
  idleMs: 60_000,
  wholeCallMs: 300_000,
  /** Listing models sits in front of a person. */
  listModelsMs: 10_000,
  tries: 3,
  /** First pause before another try; it doubles, with jitter. */
  backoffMs: 500,
  /** The longest pause a provider may ask for inside one call; beyond it the job queue tries again later. */
  longestWaitSeconds: 60,
  /** The built-in analysis of one paper, and how long its idle worker thread is kept. */
  builtInMs: 60_000,
  builtInIdleMs: 60_000,
}
