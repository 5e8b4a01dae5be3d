/**
 * Returns a random pause in milliseconds, between half and all of base x 2^(failed - 1). The randomness spreads the
 * retries of many callers.
 */
export const jitteredBackoff = (failed: number, baseMs: number) =>
  baseMs * 2 ** (failed - 1) * (0.5 + Math.random() / 2)
