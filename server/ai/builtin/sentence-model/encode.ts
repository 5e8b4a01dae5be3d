import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { SentenceModel } from './model-folder.ts'
import { poolTokens } from './pool-tokens.ts'
import { sessionOptions } from './session-options.ts'

/**
 * Maximum number of texts (MOST_TEXTS) and of tokens with padding (MOST_TOKENS) per run of the model. Larger batches need more
 * memory, which the session keeps, and save no time on one thread.
 */
const MOST_TEXTS = 16
const MOST_TOKENS = 256
/**
 * Maximum ratio of the number of tokens with padding to the number without padding in a batch. The model spends the same time
 * on a padding token as on any other token.
 */
const MOST_PADDED = 1.15

/** A loaded sentence model. */
export interface Encoder {
  /** Returns the vectors of texts, each of length 1, concatenated in one array. */
  embed: (texts: readonly string[]) => Promise<Float32Array<ArrayBuffer>>
  /**
   * Returns a vector of length 1 for each word of each text: the mean of the vectors of its tokens, which depend on the other
   * words of the text. Words beyond the maximum number of tokens of the model have no vector.
   */
  embedWords: (texts: readonly (readonly string[])[]) => Promise<Float32Array[][]>
}

interface Encoded {
  ids: number[]
  /** Position in the list of texts. */
  position: number
}

/**
 * Loads a sentence model into this thread: 50 to 150 MB, about a fifth of a second. Throws when the library or a file cannot
 * be read, and if the model has other inputs than a BERT model.
 */
export async function loadEncoder(model: SentenceModel, threads: number): Promise<Encoder> {
  const config = existsSync(model.tokenizerConfig) ? await readFile(model.tokenizerConfig, 'utf8') : '{}'
  const tokens = await readFile(model.tokenizer, 'utf8')
  const tokenizer = new Tokenizer(JSON.parse(tokens) as object, JSON.parse(config) as object)
  const session = await InferenceSession.create(model.weights, sessionOptions(threads))
  const unknown = session.inputNames.filter((name) => !INPUTS.has(name))
  if (unknown.length > 0) throw new Error(`The sentence model needs unknown inputs: ${unknown.join(', ')}.`)
  const output = session.outputNames.find((name) => name === 'sentence_embedding') ?? session.outputNames[0]!

  async function embed(texts: readonly string[]) {
    const encoded = texts.map((text, position): Encoded => ({
      ids: tokenIds(tokenizer, text, model.maxTokens),
      position,
    }))
    let vectors = new Float32Array(0)
    for (const batch of inBatches(encoded)) {
      const { data, dims } = await run(session, output, batch)
      const dimension = dims.at(-1)!
      if (vectors.length === 0) vectors = new Float32Array(texts.length * dimension)
      batch.forEach(({ ids, position }, row) => {
        const size = data.length / batch.length
        const tokens = data.subarray(row * size, (row + 1) * size)
        vectors.set(poolTokens(tokens, { dimension, count: ids.length, pooling: model.pooling }), position * dimension)
      })
    }
    return vectors
  }

  async function embedWords(texts: readonly (readonly string[])[]) {
    const split = texts.map((words, position) => splitWords(tokenizer, words, { most: model.maxTokens, position }))
    const vectors: Float32Array[][] = texts.map(() => [])
    for (const batch of inBatches(split)) {
      const { data, dims } = await run(session, output, batch)
      const [, width, dimension] = dims as [number, number, number]
      batch.forEach(({ words, position }, row) => {
        vectors[position] = words.map(({ from, to }) => {
          const tokens = data.subarray((row * width + from) * dimension, (row * width + to) * dimension)
          return poolTokens(tokens, { dimension, count: to - from, pooling: 'mean' })
        })
      })
    }
    return vectors
  }

  return { embed, embedWords }
}

const INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'])

/**
 * Returns the ids of the tokens of a text, at most `most`. A longer text is cut before its closing token. The result is never
 * empty.
 */
function tokenIds(tokenizer: Tokenizer, text: string, most: number): number[] {
  const { ids } = tokenizer.encode(text)
  if (ids.length === 0) return [0]
  return ids.length > most ? [...ids.slice(0, most - 1), ids.at(-1)!] : ids
}

/**
 * Returns the ids of the tokens of a text given as words, and for each word that fits into `most` tokens the range of its
 * tokens.
 */
function splitWords(
  tokenizer: Tokenizer,
  words: readonly string[],
  { most, position }: { most: number; position: number },
) {
  const [first, ...last] = tokenizer.encode('').ids
  const ids = first === undefined ? [] : [first]
  const ranges: { from: number; to: number }[] = []
  for (const word of words) {
    const pieces = tokenizer.encode(word, { add_special_tokens: false }).ids
    if (ids.length + pieces.length + last.length > most) break
    ranges.push({ from: ids.length, to: ids.length + pieces.length })
    ids.push(...pieces)
  }
  return { ids: [...ids, ...last], words: ranges, position }
}

/**
 * Groups the texts into batches of texts with similar lengths, because all texts of a batch are padded to the length of the
 * longest.
 */
function inBatches<T extends Encoded>(encoded: readonly T[]): T[][] {
  const batches: T[][] = []
  let tokens = 0
  for (const one of encoded.toSorted((a, b) => a.ids.length - b.ids.length)) {
    const batch = batches.at(-1)
    tokens += one.ids.length
    const padded = batch ? (batch.length + 1) * one.ids.length : Infinity
    if (batch && batch.length < MOST_TEXTS && padded <= Math.min(MOST_TOKENS, MOST_PADDED * tokens)) batch.push(one)
    else {
      batches.push([one])
      tokens = one.ids.length
    }
  }
  return batches
}

async function run(session: InferenceSession, output: string, batch: readonly Encoded[]) {
  const width = Math.max(...batch.map(({ ids }) => ids.length))
  const size = batch.length * width
  const values = new Map([...INPUTS].map((name) => [name, new BigInt64Array(size)]))
  batch.forEach(({ ids }, row) =>
    ids.forEach((id, column) => {
      const at = row * width + column
      values.get('input_ids')![at] = BigInt(id)
      values.get('attention_mask')![at] = 1n
      values.get('position_ids')![at] = BigInt(column)
    }),
  )
  const inputs = session.inputNames.map((name) => [name, new Tensor('int64', values.get(name)!, [batch.length, width])])
  const result = (await session.run(Object.fromEntries(inputs) as Record<string, Tensor>, [output]))[output]!
  return { data: result.data as Float32Array, dims: result.dims }
}
