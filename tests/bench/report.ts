/**
 * A row of the benchmark table. `measured`: the measured value. `peer`: the value for comparison. `ratio`: their ratio. `aim`:
 * the goal.
 */
export interface BenchRow {
  what: string
  measured: string
  peer: string
  ratio: string
  aim: string
  note?: string
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
