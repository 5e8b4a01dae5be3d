import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A field of a protocol buffer message: its number and its value. Strings, bytes and nested messages are length-delimited. */
type Field = readonly [number: number, value: number | string | Uint8Array]

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]

function message(...fields: Field[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [...varint(number * 8), ...varint(value)]
      const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
      return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes]
    }),
  )
}

const FLOAT = 1
const INT64 = 7

/**
 * Returns the description of an input or output of an ONNX graph. `type` is the element type. A dimension is a fixed size, or
 * the name of a variable size.
 */
function value(name: string, type: number, dimensions: readonly (number | string)[]): Uint8Array {
  const shape = message(
    ...dimensions.map((one): Field => [1, typeof one === 'number' ? message([1, one]) : message([2, one])]),
  )
  return message([1, name], [2, message([1, message([1, type], [2, shape])])])
}

/** Returns an ONNX model that maps each token id to that row of `table` (https://onnx.ai/onnx/repo-docs/IR.html). */
function onnxModel(table: readonly (readonly number[])[]): Uint8Array {
  const dimension = table[0]!.length
  const numbers = new Uint8Array(Float32Array.from(table.flat()).buffer)
  const weights = message([1, table.length], [1, dimension], [2, FLOAT], [8, 'table'], [9, numbers])
  const gather = message([1, 'table'], [1, 'input_ids'], [2, 'last_hidden_state'], [4, 'Gather'])
  const graph = message(
    [1, gather],
    [2, 'tiny'],
    [5, weights],
    [11, value('input_ids', INT64, ['batch', 'sequence'])],
    [11, value('attention_mask', INT64, ['batch', 'sequence'])],
    [12, value('last_hidden_state', FLOAT, ['batch', 'sequence', dimension])],
  )
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])])
}

/**
 * Writes a sentence model in the file format of Hugging Face to `folder`. `words` has the vector of each word; all vectors have
 * the same length. Unknown words get the first vector. `files`: further JSON files by name.
 */
export async function writeSentenceModel(
  folder: string,
  words: Readonly<Record<string, readonly number[]>>,
  files: Readonly<Record<string, object>> = {},
): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true })
  await writeFile(join(folder, 'onnx', 'model.onnx'), onnxModel(Object.values(words)))
  const vocabulary = Object.fromEntries(Object.keys(words).map((word, id) => [word, id]))
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordPiece', vocab: vocabulary, unk_token: Object.keys(words)[0], continuing_subword_prefix: '##' },
  }
  for (const [name, content] of Object.entries({ 'tokenizer.json': tokenizer, ...files })) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), JSON.stringify(content))
  }
}
