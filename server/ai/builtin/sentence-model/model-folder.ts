import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { SettingError } from '#server/lib/dot-env.ts'
import type { Pooling } from './pool-tokens.ts'

/** A sentence model in ONNX with its tokenizer. Plain data, so that a worker thread can receive it. */
export interface SentenceModel {
  /** The name of the model, stored with every vector. Vectors of models with different names are not comparable. */
  name: string
  /** Path of the ONNX file. */
  weights: string
  /** Paths of the files tokenizer.json and tokenizer_config.json. The latter file is optional. */
  tokenizer: string
  tokenizerConfig: string
  pooling: Pooling
  /**
   * Texts that are put before a question (`queryPrefix`) and before a text of a paper (`textPrefix`). Empty for most models.
   */
  queryPrefix: string
  textPrefix: string
  maxTokens: number
}

/** Settings of the operator that take precedence over the files in the folder of the model. */
export type ModelSettings = Partial<Pick<SentenceModel, 'pooling' | 'queryPrefix' | 'textPrefix'>>

/** Upper limit of `maxTokens`. A sentence of a paper has fewer tokens, and the time grows with the square of their number. */
const MOST_TOKENS = 256
/**
 * Names of the ONNX file, in order of preference. The file is in the folder of the model or in its subfolder `onnx`. If none of
 * these files exists, the only ONNX file is used.
 */
const WEIGHTS = ['model_quantized.onnx', 'model_int8.onnx', 'model.onnx']

const tokenizerFile = z.looseObject({
  model: z.looseObject({}),
  truncation: z.object({ max_length: z.number() }).nullish(),
})
const configFile = z.looseObject({ max_position_embeddings: z.number().optional() })
const poolingFile = z.looseObject({ pooling_mode_cls_token: z.boolean().optional() })
const promptsFile = z.looseObject({ prompts: z.record(z.string(), z.string()).optional() })

/**
 * Reads the folder of a sentence model as Hugging Face publishes it: `tokenizer.json`, an ONNX file, and if present
 * `config.json`, `1_Pooling/config.json` and `config_sentence_transformers.json`. The name contains a checksum of weights,
 * tokenizer and settings, so that a model with replaced files has another name. Throws a SettingError for a missing or
 * unreadable file.
 */
export function readModelFolder(folder: string, settings: ModelSettings): SentenceModel {
  const root = resolve(folder)
  const fail = (problem: string) => new SettingError(`EMBEDDING_MODEL_DIR: ${problem}.`)
  if (!existsSync(root)) throw fail(`the folder ${root} does not exist`)
  const tokenizer = join(root, 'tokenizer.json')
  if (!existsSync(tokenizer)) throw fail(`${root} contains no tokenizer.json`)
  const weights = findWeights(root)
  if (!weights) throw fail(`${root} contains no ONNX file (${WEIGHTS.join(', ')}, also in a folder "onnx")`)
  try {
    const { truncation } = readJson(tokenizer, tokenizerFile)
    const { max_position_embeddings: positions } = readJson(join(root, 'config.json'), configFile)
    const { pooling_mode_cls_token: isCls } = readJson(join(root, '1_Pooling', 'config.json'), poolingFile)
    const { prompts = {} } = readJson(join(root, 'config_sentence_transformers.json'), promptsFile)
    const model = {
      weights,
      tokenizer,
      tokenizerConfig: join(root, 'tokenizer_config.json'),
      pooling: settings.pooling ?? (isCls ? 'cls' : 'mean'),
      queryPrefix: settings.queryPrefix ?? prompts.query ?? '',
      textPrefix: settings.textPrefix ?? prompts.document ?? prompts.passage ?? '',
      maxTokens: Math.min(MOST_TOKENS, truncation?.max_length ?? Infinity, positions ?? Infinity),
    } as const
    return { ...model, name: `local/${basename(root)}-${checksumOf(model).slice(0, 12)}` }
  } catch (error) {
    throw fail(`a file of ${root} cannot be read (${(error as Error).message.split('\n')[0]})`)
  }
}

/** Returns the SHA-256 checksum of a file, in hexadecimal digits. */
export const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

function checksumOf({ weights, tokenizer, tokenizerConfig, ...settings }: Omit<SentenceModel, 'name'>): string {
  const files = [weights, `${weights}_data`, tokenizer, tokenizerConfig].filter((path) => existsSync(path)).map(sha256)
  return createHash('sha256')
    .update(JSON.stringify([files, settings]))
    .digest('hex')
}

function findWeights(root: string): string | undefined {
  const folders = [root, join(root, 'onnx')].filter((folder) => existsSync(folder))
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.onnx'))
      .map((name) => join(folder, name)),
  )
  const usual = WEIGHTS.flatMap((name) => files.filter((path) => basename(path) === name))
  return usual[0] ?? (files.length === 1 ? files[0] : undefined)
}

/** Returns the content of a JSON file; an empty object without the file. */
function readJson<T>(path: string, schema: z.ZodType<T>): T {
  return schema.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
}
