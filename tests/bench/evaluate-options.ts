import { parseArgs } from 'node:util'

/** The error for wrong options of a command. Its message is shown to the user. */
export class CallError extends Error {
  override readonly name = 'CallError'
}

export interface Provider {
  baseUrl: string
  model: string
  /** The embedding model of the provider. Undefined: the built-in sentence model computes the vectors. */
  embeddingModel: string | undefined
  key: string | undefined
}

export interface EvaluateOptions {
  /** Null: only the built-in models are measured. */
  provider: Provider | null
  half: 'all' | 'development' | 'unseen'
  /** The number of questions to ask. Undefined: all questions. */
  limit: number | undefined
}

const USAGE =
  'Usage: npm run evaluate -- [--base-url <address> --model <model> [--embedding-model <model>] [--key-env <variable>]] [--half development|unseen] [--limit <questions>]'

/** Reads the options of `npm run evaluate`. Throws a CallError that names the wrong option. */
export function readOptions(args: readonly string[], variables: Record<string, string | undefined>): EvaluateOptions {
  const values = parsed(args)
  const { half = 'all', limit } = values
  if (half !== 'all' && half !== 'development' && half !== 'unseen')
    throw new CallError('--half must be development or unseen.')
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) throw new CallError('--limit must be a number from 1.')
  return { provider: providerOf(values, variables), half, limit: limit === undefined ? undefined : Number(limit) }
}

function providerOf(values: ReturnType<typeof parsed>, variables: Record<string, string | undefined>): Provider | null {
  const { 'base-url': baseUrl, model, 'embedding-model': embeddingModel, 'key-env': keyName } = values
  if (baseUrl === undefined) {
    if (model ?? embeddingModel ?? keyName) throw new CallError(`--base-url is missing. ${USAGE}`)
    return null
  }
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new CallError('--base-url must be an http(s) address, as in http://127.0.0.1:11434/v1.')
  if (!model) throw new CallError(`--model is missing. ${USAGE}`)
  if (keyName !== undefined && !variables[keyName])
    throw new CallError(`--key-env names ${keyName}, but this environment variable is not set.`)
  return { baseUrl, model, embeddingModel, key: keyName === undefined ? undefined : variables[keyName] }
}

function parsed(args: readonly string[]) {
  const option = { type: 'string' } as const
  const options = {
    'base-url': option,
    model: option,
    'embedding-model': option,
    'key-env': option,
    half: option,
    limit: option,
  }
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new CallError(`${(error as Error).message}\n${USAGE}`)
  }
}
