import { describe, expect, it } from 'vitest'
import { VectorCodes } from './vector-codes.ts'

const DIMENSION = 96
const ROWS = 9_000
const ROWS_OF_DOCUMENT = 90
const TOPICS = 300
const NEAREST = 10

/** Returns numbers between -1 and 1 that depend on the seed only. */
function numbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 4_294_967_296
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 2_147_483_648 - 1
  }
}

function vectorOf(seed: number): Float32Array {
  const [topic, own] = [numbers((seed % TOPICS) + 1), numbers(seed + 1_000_000)]
  const vector = Float32Array.from({ length: DIMENSION }, () => topic() + own())
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)

describe('VectorCodes', () => {
  it('nearest finds the nearest of thousands of vectors and compares the codes of a part of them (LIB-20)', () => {
    const vectors = Array.from({ length: ROWS }, (_, seed) => vectorOf(seed))
    const codes = new VectorCodes(DIMENSION)
    for (let from = 0; from < ROWS; from += ROWS_OF_DOCUMENT) {
      const rows = vectors.slice(from, from + ROWS_OF_DOCUMENT).map((vector, index) => {
        const row = Buffer.alloc(8 + DIMENSION)
        row.writeInt32BE(from + index, 0)
        row.writeFloatLE(1 / 127, 4)
        vector.forEach((value, at) => row.writeInt8(Math.round(value * 127), 8 + at))
        return row
      })
      codes.put({ id: String(from), project: 'one', creator: null, codes: Buffer.concat(rows) })
    }
    const scope = { projects: ['one'], unassignedOf: null, documents: null, omitted: new Uint8Array() }
    let common = 0
    for (let seed = ROWS; seed < ROWS + 10; seed++) {
      const asked = vectorOf(seed)
      const cosines = vectors.map((vector) => cosine(vector, asked))
      const exact = [...cosines.keys()].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, NEAREST)
      const found = new Set(codes.nearest(asked, scope, 50).map(({ position }) => position))
      common += exact.filter((position) => found.has(position)).length
    }
    expect(common).toBeGreaterThanOrEqual(98)
    expect(codes.nearest(vectors[17]!, scope, 1)).toEqual([{ document_id: '0', position: 17 }])
    expect(codes.nearest(vectors[17]!, { ...scope, projects: ['other'] }, 1)).toEqual([])
  })
})
