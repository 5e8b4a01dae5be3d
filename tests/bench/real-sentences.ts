import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embedSentences } from '#server/ai/builtin/embeddings.ts'
import { currentModel } from '#server/ai/builtin/sentence-model/current.ts'
import { splitSentences } from '#shared/passages/sentences.ts'

const ROOT = new URL('../../', import.meta.url)
const FOLDERS = ['docs', 'node_modules']
/** Maximum number of sentences. The last sentences are used as questions and are not stored in the measured library. */
export const SENTENCES = 24_000
const LEAST_CHARACTERS = 40
const MOST_CHARACTERS = 300
const LEAST_WORDS = 7
/** Maximum number of sentences from one file, so that no file dominates. */
const MOST_OF_FILE = 250
const SENTENCES_AT_ONCE = 2_000

/** Real sentences and their vectors. `model`: the name of the built-in model that computed the vectors. */
export interface RealSentences {
  texts: string[]
  vectors: Float32Array[]
  model: string
  dimension: number
}

/**
 * Returns sentences from the Markdown files in docs and in the installed packages, with their vectors. They are in the order of
 * the files, so neighbouring sentences have the same subject. Caches the vectors in the temporary folder of the system.
 */
export async function realSentences(): Promise<RealSentences> {
  const texts = await collect()
  const { model } = currentModel()
  if (!model) throw new Error('The benchmark needs the built-in sentence model.')
  const cache = join(tmpdir(), `lectern-bench-vectors-${texts.length}.bin`)
  const stored = await readFile(cache).catch(() => null)
  const all = stored
    ? new Float32Array(stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength))
    : await embed(texts)
  if (!stored) await writeFile(cache, Buffer.from(all.buffer))
  const dimension = all.length / texts.length
  const vectors = texts.map((_, index) => all.subarray(index * dimension, (index + 1) * dimension))
  return { texts, vectors, model: model.name, dimension }
}

async function collect(): Promise<string[]> {
  const known = new Set<string>()
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(folder, ROOT))
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8')
      const plain = text.replace(/```[\s\S]*?```/g, '\n\n').replace(/<[^>]*>|!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      const found = splitSentences(plain).map(({ start, end }) => plain.slice(start, end).replace(/\s+/g, ' '))
      found
        .filter(isSentence)
        .slice(0, MOST_OF_FILE)
        .forEach((sentence) => known.add(sentence))
      if (known.size >= SENTENCES) return [...known].slice(0, SENTENCES)
    }
  }
  return [...known]
}

const isSentence = (text: string) =>
  text.length >= LEAST_CHARACTERS &&
  text.length <= MOST_CHARACTERS &&
  (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= LEAST_WORDS

async function embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>> {
  let all: Float32Array<ArrayBuffer> | undefined
  for (let from = 0; from < texts.length; from += SENTENCES_AT_ONCE) {
    const found = await embedSentences(texts.slice(from, from + SENTENCES_AT_ONCE))
    all ??= new Float32Array(texts.length * found[0]!.length)
    found.forEach((vector, index) => all!.set(vector, (from + index) * vector.length))
    console.error(`  ${from + found.length} of ${texts.length} sentences have vectors`)
  }
  return all!
}
