import { providerUrl } from './provider.ts'

/**
 * The optional parameters of a request that a model supports. OpenAI-compatible servers differ, so every parameter is used at
 * first. A parameter that the server refuses by its name is omitted for that model until the process ends.
 */
export interface Features {
  format: 'schema' | 'json' | 'none'
  usageInStream: boolean
  temperature: boolean
}

/** What the server refused, by address and model. Empty for a model of which it refused nothing. */
const known = new Map<string, Features>()
const keyOf = (model: string) => `${providerUrl()} ${model}`

/** Returns the optional parameters that are used for a model of the configured provider. */
export function featuresOf(model: string): Features {
  return known.get(keyOf(model)) ?? { format: 'schema', usageInStream: true, temperature: true }
}

const FORMAT = /response_format|json_schema|json_object|json schema|structured output|guided|grammar/i

/**
 * Adapts the optional parameters of a model after its server refused a request. Disables the first sent parameter that
 * `refusal`, the error message of the server, names. A JSON Schema is replaced by plain JSON, and plain JSON by no format.
 * `sent.format` is true if a format was requested. Returns false if the message names no sent parameter; then a retry is
 * useless.
 */
export function learnFromRefusal(model: string, refusal: string, sent: { format: boolean }): boolean {
  const features = featuresOf(model)
  if (features.usageInStream && /stream_options|include_usage/i.test(refusal)) features.usageInStream = false
  else if (features.temperature && /temperature/i.test(refusal)) features.temperature = false
  else if (sent.format && features.format !== 'none' && FORMAT.test(refusal))
    features.format = features.format === 'schema' ? 'json' : 'none'
  else return false
  known.set(keyOf(model), features)
  return true
}
