/**
 * Time limit of a check in milliseconds. It is short because load balancers and Prometheus wait only a few seconds for a
 * response.
 */
const LIMIT_MS = 2_500

/** The error of a check that exceeded its time limit. */
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
