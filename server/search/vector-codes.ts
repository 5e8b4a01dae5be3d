/** Size of the position of a chunk in bytes. The position and the scale (SCALE_BYTES) come before the numbers of a code. */
const POSITION_BYTES = 4
const SCALE_BYTES = 4
/** Number of rows (one for each chunk) in one block of memory. A block has 3 MB if vectors have 384 numbers. */
const BLOCK_ROWS = 8192
const ID_BYTES = 16
/** Number of signs in one 32-bit word. */
const SIGNS = 32
/**
 * Limits the exact comparisons of a search. A first pass compares only the signs of the numbers of all vectors in the scope.
 * The second pass compares the codes (eight bits for each number) of the rows whose signs differ least from the query: this
 * share of the rows, but at least LEAST_COMPARED.
 */
const COMPARED_SHARE = 0.05
const LEAST_COMPARED = 4_000

/**
 * A document with the codes of its chunks. A code is a vector with eight bits for each number. `codes` has for each chunk its
 * position (int32, big-endian) and its code (see encodeVector).
 */
export interface CodedDocument {
  id: string
  /** Null for a document without a project. Only the user `creator` finds such a document. */
  project: string | null
  creator: string | null
  codes: Uint8Array
}

/**
 * The documents that a search covers. `documents` has their ids in 16 bytes each; null means all documents of the projects and
 * the documents of `unassignedOf` without a project.
 */
export interface CodeScope {
  projects: readonly string[]
  unassignedOf: string | null
  documents: Uint8Array | null
  /** The ids of documents to omit, packed in 16 bytes each. */
  omitted: Uint8Array
}

interface Block {
  /** The number of the document of each row, or -1 for a free row. */
  documents: Int32Array
  positions: Int32Array
  scales: Float32Array
  codes: Int8Array
  /** One bit for each number of a code: 1 if the number is positive. Each word has 32 bits. */
  signs: Int32Array
}

/**
 * The vectors of the chunks of all documents, in memory, with eight bits for each number. Finds the vectors nearest to a given
 * vector by a scan, without an index.
 */
export class VectorCodes {
  readonly dimension: number
  readonly #blocks: Block[] = []
  /** The numbers of free rows. The number of a row is block * BLOCK_ROWS + row in the block. */
  readonly #free: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #documents: { id: string; project: string | null; creator: string | null; rows: number[] }[] = []

  constructor(dimension: number) {
    this.dimension = dimension
  }

  /** The number of stored documents, including those whose chunks have no vectors. */
  get size(): number {
    return this.#documents.length
  }

  /** Adds a document, or replaces its codes and project. */
  put({ id, project, creator, codes }: CodedDocument): void {
    let number = this.#numbers.get(id)
    if (number === undefined) {
      number = this.#documents.length
      this.#numbers.set(id, number)
      this.#documents.push({ id, project, creator, rows: [] })
    }
    const document = this.#documents[number]!
    for (const row of document.rows) {
      this.#blocks[Math.floor(row / BLOCK_ROWS)]!.documents[row % BLOCK_ROWS] = -1
      this.#free.push(row)
    }
    Object.assign(document, { project, creator, rows: [] })
    const size = POSITION_BYTES + SCALE_BYTES + this.dimension
    const view = new DataView(codes.buffer, codes.byteOffset, codes.byteLength)
    for (let at = 0; at + size <= codes.length; at += size) {
      const row = this.#takeRow()
      const block = this.#blocks[Math.floor(row / BLOCK_ROWS)]!
      const index = row % BLOCK_ROWS
      block.documents[index] = number
      block.positions[index] = view.getInt32(at)
      block.scales[index] = view.getFloat32(at + POSITION_BYTES, true)
      block.codes.set(
        new Int8Array(codes.buffer, codes.byteOffset + at + POSITION_BYTES + SCALE_BYTES, this.dimension),
        index * this.dimension,
      )
      writeSigns(
        block.codes.subarray(index * this.dimension, (index + 1) * this.dimension),
        block.signs,
        index * this.#words,
      )
      document.rows.push(row)
    }
  }

  /** Number of 32-bit words that contain the signs of a row. */
  get #words(): number {
    return Math.ceil(this.dimension / SIGNS)
  }

  #takeRow(): number {
    if (this.#free.length === 0) {
      const first = this.#blocks.length * BLOCK_ROWS
      this.#blocks.push({
        documents: new Int32Array(BLOCK_ROWS).fill(-1),
        positions: new Int32Array(BLOCK_ROWS),
        scales: new Float32Array(BLOCK_ROWS),
        codes: new Int8Array(BLOCK_ROWS * this.dimension),
        signs: new Int32Array(BLOCK_ROWS * this.#words),
      })
      for (let row = BLOCK_ROWS - 1; row >= 0; row--) this.#free.push(first + row)
    }
    return this.#free.pop()!
  }

  /**
   * Returns the chunks of a scope nearest to a vector by cosine, nearest first. First compares the signs of the numbers of all
   * vectors in the scope, then the codes (eight bits for each number) of the vectors with the most similar signs. On average,
   * this finds 99 % of the ten nearest chunks (docs/benchmarks.md).
   */
  nearest(vector: Float32Array, scope: CodeScope, limit: number): { document_id: string; position: number }[] {
    const query = quantized(vector)
    const { distances, most } = this.#compareSigns(query, this.#coveredDocuments(scope))
    const scores: { score: number; row: number }[] = []
    let least = -Infinity
    for (const [number, block] of this.#blocks.entries()) {
      for (let index = 0; index < BLOCK_ROWS; index++) {
        if (distances[number * BLOCK_ROWS + index]! > most) continue
        const score = block.scales[index]! * dot(query, block.codes, index * this.dimension)
        if (score <= least) continue
        scores.push({ score, row: number * BLOCK_ROWS + index })
        if (scores.length < 4 * limit) continue
        scores.sort((a, b) => b.score - a.score)
        scores.length = limit
        least = scores.at(-1)!.score
      }
    }
    return scores
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ row }) => {
        const block = this.#blocks[Math.floor(row / BLOCK_ROWS)]!
        const index = row % BLOCK_ROWS
        return { document_id: this.#documents[block.documents[index]!]!.id, position: block.positions[index]! }
      })
  }

  /**
   * Returns for each row the number of signs that differ from the signs of the query (`distances`), and the largest distance of
   * a row whose code is to be compared (`most`).
   */
  #compareSigns(query: Int8Array, covered: Uint8Array): { distances: Uint16Array; most: number } {
    const words = this.#words
    const signs = new Int32Array(words)
    writeSigns(query, signs, 0)
    const distances = new Uint16Array(this.#blocks.length * BLOCK_ROWS).fill(0xffff)
    const counts = new Uint32Array(this.dimension + 1)
    let rows = 0
    for (const [number, block] of this.#blocks.entries()) {
      for (let index = 0; index < BLOCK_ROWS; index++) {
        const document = block.documents[index]!
        if (document < 0 || covered[document] === 0) continue
        let distance = 0
        for (let word = 0; word < words; word++)
          distance += countBits(signs[word]! ^ block.signs[index * words + word]!)
        distances[number * BLOCK_ROWS + index] = distance
        counts[distance]!++
        rows++
      }
    }
    const compared = Math.max(LEAST_COMPARED, rows * COMPARED_SHARE)
    let most = 0
    for (let sum = counts[0]!; sum < compared && most < this.dimension; sum += counts[most]!) most++
    return { distances, most }
  }

  #coveredDocuments({ projects, unassignedOf, documents, omitted }: CodeScope): Uint8Array {
    const wanted = new Set(projects)
    const isCovered = (project: string | null, creator: string | null) =>
      project === null ? unassignedOf !== null && creator === unassignedOf : wanted.has(project)
    const named = documents && new Set(idsOf(documents))
    const left = new Set(idsOf(omitted))
    return Uint8Array.from(this.#documents, ({ id, project, creator }) =>
      isCovered(project, creator) && (named === null || named.has(id)) && !left.has(id) ? 1 : 0,
    )
  }
}

/** Converts packed UUIDs (16 bytes each) to text. */
function idsOf(packed: Uint8Array): string[] {
  const hex = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('hex')
  return Array.from({ length: packed.length / ID_BYTES }, (_, index) =>
    hex
      .slice(index * 2 * ID_BYTES, (index + 1) * 2 * ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
}

/**
 * Writes the signs of numbers into `signs`, beginning at the word with the index `from`: one bit for each number, 1 if it is
 * positive.
 */
function writeSigns(numbers: Int8Array, signs: Int32Array, from: number): void {
  signs.fill(0, from, from + Math.ceil(numbers.length / SIGNS))
  for (let index = 0; index < numbers.length; index++)
    if (numbers[index]! > 0) signs[from + Math.floor(index / SIGNS)]! |= 1 << (index % SIGNS)
}

/** Returns the number of set bits in a 32-bit integer (Hacker's Delight, figure 5-2). */
function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function quantized(vector: Float32Array): Int8Array {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1
  return Int8Array.from(vector, (value) => Math.round((value / most) * 127))
}

/**
 * Returns the dot product of a query and the code that begins at `from`. Adds four products at a time, because the dimension of
 * most models is a multiple of four; the last loop adds the remaining products.
 */
function dot(query: Int8Array, codes: Int8Array, from: number): number {
  const whole = query.length - (query.length % 4)
  let sum = 0
  for (let index = 0; index < whole; index += 4)
    sum =
      (sum +
        Math.imul(query[index]!, codes[from + index]!) +
        Math.imul(query[index + 1]!, codes[from + index + 1]!) +
        Math.imul(query[index + 2]!, codes[from + index + 2]!) +
        Math.imul(query[index + 3]!, codes[from + index + 3]!)) |
      0
  for (let index = whole; index < query.length; index++) sum += query[index]! * codes[from + index]!
  return sum
}
