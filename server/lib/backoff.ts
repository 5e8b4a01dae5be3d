/** A random pause in milliseconds, between half and all of base x 2^(failed - 1), so that many callers do not come back together. */
export const jitteredBackoff = (failed: number, baseMs: number) =>
  baseMs * 2 ** (failed - 1) * (0.5 + Math.random() / 2)
