/** Load balancers and Prometheus wait a few seconds for an answer; a part that is slower counts as failed. */
const LIMIT_MS = 2_500

/** A check that took too long. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Runs a check. Throws NoAnswer after 2.5 seconds; the check continues. */
export async function inTime(check: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new NoAnswer('no answer in time')), LIMIT_MS)
  try {
    await Promise.race([check(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
