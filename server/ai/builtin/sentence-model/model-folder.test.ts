import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeSentenceModel } from '#tests/helpers/tiny-sentence-model.ts'
import { loadEncoder } from './encode.ts'
import { missingLibrary } from './library.ts'
import { readModelFolder } from './model-folder.ts'

const WORDS = { other: [1, 0, 0], dog: [0, 2, 0], hound: [0, 1, 0], cat: [0, 0, 1], query: [0, 3, 0] }
const root = await mkdtemp(join(tmpdir(), 'lectern-model-'))
afterAll(() => rm(root, { recursive: true }))

async function tinyModel(name: string, files = {}, words: Record<string, number[]> = WORDS): Promise<string> {
  await writeSentenceModel(join(root, name), words, files)
  return join(root, name)
}

const CLS = { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false } }

describe('readModelFolder', () => {
  it('readModelFolder reads pooling, prefixes and the maximum number of tokens from the files of the folder', async () => {
    const plain = readModelFolder(await tinyModel('plain'), {})
    expect(plain).toMatchObject({ pooling: 'mean', queryPrefix: '', textPrefix: '', maxTokens: 256 })
    expect(plain.name).toMatch(/^local\/plain-[\da-f]{12}$/)
    const described = await tinyModel('described', {
      ...CLS,
      'config.json': { max_position_embeddings: 40 },
      'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: 'passage: ' } },
    })
    expect(readModelFolder(described, {})).toMatchObject({
      pooling: 'cls',
      queryPrefix: 'query: ',
      textPrefix: 'passage: ',
      maxTokens: 40,
    })
    expect(readModelFolder(described, { pooling: 'mean', queryPrefix: '' })).toMatchObject({
      pooling: 'mean',
      queryPrefix: '',
      textPrefix: 'passage: ',
    })
  })

  it('readModelFolder names models with other weights or settings differently', async () => {
    const one = await tinyModel('one/tiny')
    const other = await tinyModel('other/tiny', {}, { ...WORDS, dog: [0, 1, 1] })
    const names = [readModelFolder(one, {}), readModelFolder(other, {}), readModelFolder(one, { pooling: 'cls' })].map(
      ({ name }) => name,
    )
    expect(new Set(names).size).toBe(3)
    expect(readModelFolder(one, {}).name).toBe(names[0])
  })

  it('readModelFolder reports missing files', async () => {
    expect(() => readModelFolder(join(root, 'none'), {})).toThrow('EMBEDDING_MODEL_DIR: the folder')
    const empty = await mkdtemp(join(root, 'empty-'))
    expect(() => readModelFolder(empty, {})).toThrow('contains no tokenizer.json')
    await writeFile(join(empty, 'tokenizer.json'), '{}')
    expect(() => readModelFolder(empty, {})).toThrow('contains no ONNX file')
    await writeFile(join(empty, 'model.onnx'), '')
    expect(() => readModelFolder(empty, {})).toThrow('cannot be read')
  })
})

describe('loadEncoder', () => {
  it('loadEncoder reads the dimension from the model and returns one vector of length 1 per text, in order', async () => {
    const { embed } = await loadEncoder(readModelFolder(await tinyModel('mean'), {}), 1)
    // The mean of dog and cat has half of the length of the dog.
    const vectors = await embed(['dog cat', 'hound', 'unknown', 'dog hound dog', ''])
    const expected = [
      [0, 2, 1],
      [0, 1, 0],
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
    ].map((vector) => {
      const length = Math.hypot(...vector)
      return vector.map((number) => expect.closeTo(number / length, 5))
    })
    expect([...vectors]).toEqual(expected.flat())
  })

  it('loadEncoder uses the first token of a model with CLS pooling', async () => {
    const { embed } = await loadEncoder(readModelFolder(await tinyModel('cls', CLS), {}), 1)
    expect([...(await embed(['cat dog', 'dog cat cat']))]).toEqual([0, 0, 1, 0, 1, 0])
  })

  it('loadEncoder cuts a long text at the maximum number of tokens of the model', async () => {
    const model = readModelFolder(await tinyModel('short', { 'config.json': { max_position_embeddings: 3 } }), {})
    // The last token closes the text.
    expect([...(await (await loadEncoder(model, 1)).embed(['dog dog cat cat cat dog']))]).toEqual([0, 1, 0])
  })

  it('loadEncoder returns one vector for each word, and none beyond the maximum number of tokens', async () => {
    const config = { 'config.json': { max_position_embeddings: 2 } }
    const { embedWords } = await loadEncoder(readModelFolder(await tinyModel('words', config), {}), 1)
    const [short, long] = await embedWords([['dog'], ['cat', 'dog', 'dog', 'cat']])
    expect(short!.map((vector) => [...vector])).toEqual([[0, 1, 0]])
    expect(long!.map((vector) => [...vector])).toEqual([
      [0, 0, 1],
      [0, 1, 0],
    ])
  })

  it('loadEncoder returns the same vectors in batches of any size', async () => {
    const { embed } = await loadEncoder(readModelFolder(await tinyModel('batches'), {}), 1)
    const words = Object.keys(WORDS)
    const texts = Array.from({ length: 100 }, (_, at) =>
      Array.from({ length: 1 + ((at * 7) % 30) }, (_none, word) => words[(at + word * at) % words.length]).join(' '),
    )
    const together = await embed(texts)
    for (const [at, text] of texts.entries()) {
      const alone = await embed([text])
      const expected = Array.from(together.slice(at * 3, at * 3 + 3), (number) => expect.closeTo(number, 5))
      expect([...alone]).toEqual(expected)
    }
  })
})

describe('missingLibrary', () => {
  it('missingLibrary names the machine and the file that is missing', () => {
    expect(missingLibrary()).toBeNull()
    expect(missingLibrary({ platform: 'darwin', arch: 'x64', glibc: true })).toContain(
      'onnxruntime-node for darwin x64 (node_modules/onnxruntime-node/bin/napi-v6/darwin/x64/onnxruntime_binding.node)',
    )
    expect(missingLibrary({ platform: process.platform, arch: process.arch, glibc: false })).toContain('glibc')
  })
})
