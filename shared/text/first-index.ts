/**
 * Returns the index of the first item for which `isReached` is true, or the length of the list. `isReached` must be true for
 * all later items too. Binary search.
 */
export function firstIndex<T>(sorted: readonly T[], isReached: (item: T) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isReached(sorted[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
