import { PANEL } from './kernels.ts'

/** The middle of a weight's seven bits. */
const ZERO = 64
const BIASES_AT = PANEL
const PAGE = 65_536

/** A right-hand matrix as the kernel of bytes reads it. */
export interface Matrix {
  bytes: number
  columnInfo: number
  depth: number
  columns: number
}

/** Places in a memory, handed out once and never taken back. */
export class Layout {
  readonly memory = new WebAssembly.Memory({ initial: 1 })
  #next = 0

  /** The place of so many bytes. Views of the memory are to be made after the last of these calls. */
  take(bytes: number): number {
    const place = this.#next
    this.#next = Math.ceil((place + bytes) / 16) * 16
    const missing = this.#next - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE))
    return place
  }

  /** Writes weights, row by row as the model has them, as numbers of seven bits with one scale for each column. */
  matrix(weights: Float32Array, biases: Float32Array): Matrix {
    const columns = biases.length
    const depth = weights.length / columns
    const bytes = this.take(depth * columns)
    const columnInfo = this.take(columns * 8)
    const packed = new Uint8Array(this.memory.buffer, bytes, depth * columns)
    const info = new Float32Array(this.memory.buffer, columnInfo, columns * 2)
    for (let column = 0; column < columns; column += 1) {
      const panel = Math.floor(column / PANEL)
      const lane = column % PANEL
      let largest = 0
      for (let row = 0; row < depth; row += 1) largest = Math.max(largest, Math.abs(weights[row * columns + column]!))
      const scale = largest / (ZERO - 1) || 1
      info[panel * PANEL * 2 + lane] = scale
      info[panel * PANEL * 2 + BIASES_AT + lane] = biases[column]!
      for (let row = 0; row < depth; row += 1) {
        const place = panel * depth * PANEL + (row >> 2) * PANEL * 4 + lane * 4 + (row & 3)
        packed[place] = Math.round(weights[row * columns + column]! / scale) + ZERO
      }
    }
    return { bytes, columnInfo, depth, columns }
  }
}

/**
 * Writes rows of floats as signed bytes, with what the kernel needs to make their products whole again: the scale, and
 * what the weights' middle adds to each sum.
 */
export function quantise(
  from: Float32Array,
  width: number,
  rows: number,
  to: Int8Array,
  scales: Float32Array,
  starts: Int32Array,
): void {
  for (let row = 0; row < rows; row += 1) {
    const begin = row * width
    const end = begin + width
    let largest = 0
    for (let at = begin; at < end; at += 1) {
      const size = Math.abs(from[at]!)
      if (size > largest) largest = size
    }
    const factor = largest > 0 ? 127 / largest : 0
    let sum = 0
    for (let at = begin; at < end; at += 1) {
      const value = from[at]! * factor
      const whole = (value < 0 ? value - 0.5 : value + 0.5) | 0
      to[at] = whole
      sum += whole
    }
    scales[row * 2] = largest / 127
    starts[row * 2 + 1] = -ZERO * sum
  }
}
