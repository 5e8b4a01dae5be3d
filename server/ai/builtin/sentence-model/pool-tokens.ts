/** How a text's vector is computed from the vectors of its tokens: their mean, or the vector of the first token ('cls'). */
export type Pooling = 'mean' | 'cls'

/**
 * Returns the vector of a text, of length 1, from the concatenated vectors of its `count` tokens. Vectors of padding tokens
 * after these are ignored. `tokens` can also be a single vector that the model has pooled. A zero vector stays zero.
 */
export function poolTokens(
  tokens: Float32Array,
  { dimension, count, pooling }: { dimension: number; count: number; pooling: Pooling },
): Float32Array {
  const vector = new Float32Array(dimension)
  const used = pooling === 'cls' ? 1 : Math.min(count, tokens.length / dimension)
  for (let token = 0; token < used; token++)
    for (let at = 0; at < dimension; at++) vector[at]! += tokens[token * dimension + at]!
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return vector.map((value) => value / length)
}
