import { type Kernels, PANEL } from './kernels.ts'
import type { Layout } from './layout.ts'

/** Places for what one head of one sentence needs: keys and values in panels, and how much each piece heeds each other. */
export interface AttentionSpace {
  keys: number
  values: number
  heed: number
}

const panels = (columns: number) => Math.ceil(columns / PANEL)

/** Room for sentences of up to `pieces`, with heads of up to `depth` numbers. */
export function attentionSpace(layout: Layout, pieces: number, depth: number): AttentionSpace {
  const columns = panels(pieces) * PANEL
  return {
    keys: layout.take(columns * depth * 4),
    values: layout.take(columns * depth * 4),
    heed: layout.take(pieces * columns * 4),
  }
}

interface Sentence {
  /** Where the rows of queries, keys and values begin, side by side, each `width` wide. */
  from: number
  to: number
  /** The first row of the sentence, and how many there are. */
  first: number
  length: number
  width: number
  heads: number
}

/** What each piece of a sentence takes from all of them, head by head. */
export function attend(kernels: Kernels, buffer: ArrayBuffer, space: AttentionSpace, sentence: Sentence): void {
  const { from, to, first, length, width, heads } = sentence
  const depth = width / heads
  const rows = new Float32Array(buffer, from + first * width * 12, length * width * 3)
  const keys = new Float32Array(buffer, space.keys, panels(length) * PANEL * depth)
  const values = new Float32Array(buffer, space.values, length * depth)
  const columns = panels(length) * PANEL
  const heed = new Float32Array(buffer, space.heed, length * columns)
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < length; row += 1) {
      const key = row * width * 3 + width + head * depth
      const keyAt = Math.floor(row / PANEL) * depth * PANEL + (row % PANEL)
      for (let at = 0; at < depth; at += 1) {
        keys[keyAt + at * PANEL] = rows[key + at]!
        values[Math.floor(at / PANEL) * length * PANEL + row * PANEL + (at % PANEL)] = rows[key + width + at]!
      }
    }
    const query = from + first * width * 12 + head * depth * 4
    kernels.multiplyFloats(query, width * 12, space.keys, space.heed, columns * 4, length, depth, panels(length))
    shares(heed, length, columns, 1 / Math.sqrt(depth))
    const out = to + (first * width + head * depth) * 4
    kernels.multiplyFloats(space.heed, columns * 4, space.values, out, width * 4, length, length, panels(depth))
  }
}

/** Makes of each row numbers that add up to 1 (softmax). */
function shares(heed: Float32Array, length: number, width: number, factor: number): void {
  for (let row = 0; row < length; row += 1) {
    const begin = row * width
    let largest = -Infinity
    for (let at = begin; at < begin + length; at += 1) largest = Math.max(largest, heed[at]!)
    let sum = 0
    for (let at = begin; at < begin + length; at += 1) {
      const one = Math.exp((heed[at]! - largest) * factor)
      heed[at] = one
      sum += one
    }
    for (let at = begin; at < begin + length; at += 1) heed[at]! /= sum
  }
}
