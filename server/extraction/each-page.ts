export interface PageOptions {
  /** Number of pages that are read concurrently. */
  atATime: number
  signal?: AbortSignal
  onProgress?: (done: number, pages: number) => void
}

type ReadPage<T> = (page: number, signal: AbortSignal) => Promise<T>

/**
 * Calls `read` for each of the pages, several at a time, and returns the results in the order of `pages`. The first failure or
 * a cancellation aborts all other calls.
 */
export async function eachPage<T>(pages: readonly number[], options: PageOptions, read: ReadPage<T>): Promise<T[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any(options.signal ? [options.signal, failed.signal] : [failed.signal])
  const results: T[] = []
  let next = 0
  let done = 0
  const lane = async () => {
    while (next < pages.length) {
      signal.throwIfAborted()
      const index = next++
      results[index] = await read(pages[index]!, signal)
      options.onProgress?.(++done, pages.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(options.atATime, pages.length) }, lane))
  } catch (error) {
    failed.abort(error)
    throw error
  }
  return results
}

/**
 * Creates a function to call with the error of each page that could not be read. The function returns null, the result for such
 * a page. It throws the error if the signal is aborted or if more than half of `pages` have failed.
 */
export function toleranceOf(pages: readonly number[]): (error: unknown, signal: AbortSignal) => null {
  let lost = 0
  return (error, signal) => {
    if (signal.aborted || ++lost > pages.length / 2) throw error
    return null
  }
}

/**
 * Calls `read` for each of the pages, several at a time, and returns the results in the order of `pages`. Repeats a failed call
 * once. The result of a page that fails twice is null. Throws the last error if more than half of the pages fail, and the
 * reason of the signal when aborted.
 */
export function eachPageTolerant<T>(
  pages: readonly number[],
  options: PageOptions,
  read: ReadPage<T>,
): Promise<(T | null)[]> {
  const lose = toleranceOf(pages)
  return eachPage<T | null>(pages, options, (page, signal) =>
    read(page, signal)
      .catch((error: unknown) => {
        if (signal.aborted) throw error
        return read(page, signal)
      })
      .catch((error: unknown) => lose(error, signal)),
  )
}
