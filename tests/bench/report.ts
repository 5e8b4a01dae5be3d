/** One line of the benchmark table: what was measured, what it was held against, the ratio of both, and the aim. */
export interface BenchRow {
  what: string
  measured: string
  peer: string
  ratio: string
  aim: string
  note?: string
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
