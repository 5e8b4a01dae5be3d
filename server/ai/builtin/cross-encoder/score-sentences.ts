import { readFile } from 'node:fs/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { builtInModel } from '../sentence-model/current.ts'
import { sessionOptions } from '../sentence-model/session-options.ts'

/**
 * The file of the cross-encoder: the fine-tuned weights of the built-in sentence model without the word embeddings, which are
 * read from the file of the sentence model (docs/decisions/0039).
 */
const WEIGHTS = new URL('model.onnx', import.meta.url)
/** The name by which the file of the cross-encoder refers to the file of the sentence model. */
const SHARED_FILE = 'model_quantized.onnx'

/**
 * Maximum number of tokens of a question (MOST_OF_QUESTION) and of a question with a passage (MOST_TOKENS). A passage of 1,000
 * characters has about 230 tokens.
 */
const MOST_OF_QUESTION = 60
const MOST_TOKENS = 320
/** Number of passages per run of the model. Larger batches save no time on one thread. */
const MOST_PASSAGES = 4

/** A model that reads a question together with a passage. */
export interface CrossEncoder {
  /**
   * Returns a score for each sentence of each passage: the logarithm of the ratio of two probabilities. The first is that the
   * sentence answers the question, the second that no sentence of the passage does. Null for a sentence that begins after
   * MOST_TOKENS tokens.
   */
  scoreSentences: (question: string, passages: readonly (readonly string[])[]) => Promise<(number | null)[][]>
}

interface Encoded {
  ids: number[]
  /** Number of tokens before the passage. */
  question: number
  /** Ranges of tokens (`to` exclusive): the first is the question, the others are the sentences. */
  groups: { from: number; to: number }[]
}

/**
 * Loads the cross-encoder (a model that reads a question together with a passage) into this thread; it takes about 100 MB.
 * `threads` is the number of threads on which it computes. Throws when the library or a file cannot be read.
 */
export async function loadCrossEncoder(threads: number): Promise<CrossEncoder> {
  const { weights, tokenizer: tokens } = builtInModel()
  const tokenizer = new Tokenizer(JSON.parse(await readFile(tokens, 'utf8')) as object, {})
  const idsOf = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids
  const [first, last] = tokenizer.encode('').ids as [number, number]
  const session = await InferenceSession.create(await readFile(WEIGHTS), {
    ...sessionOptions(threads),
    externalData: withoutPrototype([{ path: SHARED_FILE, data: await readFile(weights) }]),
  })

  function encode(question: readonly number[], sentences: readonly string[]): Encoded {
    const ids = [first, ...question, last]
    const groups = [{ from: 1, to: ids.length - 1 }]
    const ofQuestion = ids.length
    for (const sentence of sentences) {
      const from = ids.length
      ids.push(...idsOf(sentence).slice(0, Math.max(0, MOST_TOKENS - 1 - ids.length)))
      groups.push({ from, to: ids.length })
    }
    return { ids: [...ids, last], question: ofQuestion, groups }
  }

  async function scoreSentences(question: string, passages: readonly (readonly string[])[]) {
    const asked = idsOf(question).slice(0, MOST_OF_QUESTION)
    const encoded = passages.map((sentences, position) => ({ ...encode(asked, sentences), position }))
    const inOrder = encoded.toSorted((a, b) => a.ids.length - b.ids.length)
    const scores: (number | null)[][] = passages.map(() => [])
    for (let at = 0; at < inOrder.length; at += MOST_PASSAGES) {
      const batch = inOrder.slice(at, at + MOST_PASSAGES)
      const { data, dims } = await run(session, batch)
      const count = dims[1]!
      batch.forEach(({ groups, position }, row) => {
        scores[position] = groups
          .slice(1)
          .map(({ from, to }, sentence) => (to > from ? data[row * count + sentence]! : null))
      })
    }
    return scores
  }

  return { scoreSentences }
}

/**
 * Removes the prototype of an array. onnxruntime-node reads also inherited properties as entries of the array, and another
 * package can add properties to Array.prototype.
 */
const withoutPrototype = <T>(list: T[]): T[] => Object.setPrototypeOf(list, null) as T[]

/** Runs the model. The result has a row for each passage and a column for each sentence. */
async function run(session: InferenceSession, batch: readonly Encoded[]) {
  const width = Math.max(...batch.map(({ ids }) => ids.length))
  const count = Math.max(...batch.map(({ groups }) => groups.length))
  const size = batch.length * width
  const ids = new BigInt64Array(size)
  const mask = new BigInt64Array(size)
  const types = new BigInt64Array(size)
  // The mean of the tokens of each group, as a matrix.
  const means = new Float32Array(batch.length * count * width)
  batch.forEach((one, row) => {
    one.ids.forEach((id, column) => {
      ids[row * width + column] = BigInt(id)
      mask[row * width + column] = 1n
      types[row * width + column] = column < one.question ? 0n : 1n
    })
    one.groups.forEach(({ from, to }, group) => {
      const start = (row * count + group) * width
      means.fill(1 / (to - from), start + from, start + to)
    })
  })
  const tensor = (data: BigInt64Array) => new Tensor('int64', data, [batch.length, width])
  const { answers } = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(mask),
    token_type_ids: tensor(types),
    groups: new Tensor('float32', means, [batch.length, count, width]),
  })
  return { data: answers!.data as Float32Array, dims: answers!.dims }
}
