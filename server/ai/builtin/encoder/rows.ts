/** The numbers that a layer's input is brought to one size with. */
export interface Norm {
  scale: Float32Array
  bias: Float32Array
}

const EPSILON = 1e-6

/** What is added to each piece for its place in the sentence: waves of many lengths. */
export function timings(frequencies: Float32Array, pieces: number): Float32Array {
  const half = frequencies.length
  const found = new Float32Array(pieces * half * 2)
  for (let piece = 0; piece < pieces; piece += 1)
    frequencies.forEach((frequency, at) => {
      found[piece * half * 2 + at] = Math.sin(piece * frequency)
      found[piece * half * 2 + half + at] = Math.cos(piece * frequency)
    })
  return found
}

/** What each piece means and where it stands; the model was trained with the meaning twice. */
export function embed(
  sentences: readonly number[][],
  embeddings: Float32Array,
  places: Float32Array,
  width: number,
  to: Float32Array,
): void {
  let row = 0
  for (const pieces of sentences)
    for (const [position, piece] of pieces.entries()) {
      for (let at = 0; at < width; at += 1)
        to[row * width + at] = 2 * embeddings[piece * width + at]! + places[position * width + at]!
      row += 1
    }
}

/** Brings each row to mean 0 and deviation 1, then scales it as the layer learned. */
export function normalise(
  from: Float32Array,
  width: number,
  rows: number,
  { scale, bias }: Norm,
  to: Float32Array,
): void {
  for (let row = 0; row < rows; row += 1) {
    const begin = row * width
    let sum = 0
    for (let at = 0; at < width; at += 1) sum += from[begin + at]!
    const mean = sum / width
    let squares = 0
    for (let at = 0; at < width; at += 1) {
      const off = from[begin + at]! - mean
      squares += off * off
    }
    const factor = 1 / Math.sqrt(squares / width + EPSILON)
    for (let at = 0; at < width; at += 1) to[begin + at] = (from[begin + at]! - mean) * factor * scale[at]! + bias[at]!
  }
}

/** Adds so many numbers to others. */
export function addTo(sum: Float32Array, more: Float32Array, count: number): void {
  for (let at = 0; at < count; at += 1) sum[at]! += more[at]!
}

/** The mean of each sentence's rows; zero where it has none. */
export function average(rows: Float32Array, sentences: readonly number[][], width: number, to: Float32Array): void {
  to.fill(0, 0, sentences.length * width)
  let row = 0
  sentences.forEach(({ length }, sentence) => {
    for (let count = 0; count < length; count += 1, row += 1)
      for (let at = 0; at < width; at += 1) to[sentence * width + at]! += rows[row * width + at]! / length
  })
}

/** The rows through the last curve, each brought to length 1. */
export function unitVectors(from: Float32Array, width: number, count: number): Float32Array {
  const vectors = from.slice(0, count * width).map(Math.tanh)
  for (let one = 0; one < count; one += 1) {
    const vector = vectors.subarray(one * width, (one + 1) * width)
    const length = Math.hypot(...vector) || 1
    vector.forEach((value, at) => (vector[at] = value / length))
  }
  return vectors
}
