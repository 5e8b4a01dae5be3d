import { providerUrl } from './provider.ts'

/**
 * The optional parameters that a model supports. They differ between OpenAI-compatible servers, so every model starts with all
 * of them. A parameter that the server refuses by name is omitted for that model until the process ends.
 */
export interface Features {
  format: 'schema' | 'json' | 'none'
  usageInStream: boolean
  temperature: boolean
}

const known = new Map<string, Features>()

/** Returns the optional parameters that the configured provider is known to support for a model. */
export function featuresOf(model: string): Features {
  const key = `${providerUrl()} ${model}`
  const found = known.get(key) ?? { format: 'schema', usageInStream: true, temperature: true }
  known.set(key, found)
  return found
}

const FORMAT = /response_format|json_schema|json_object|json schema|structured output|guided|grammar/i

/**
 * Disables the first sent parameter that the refusal names (a schema falls back to plain JSON, then to no format). Returns false
 * if the refusal names none of them: then a retry is useless.
 */
export function learnFromRefusal(model: string, refusal: string, sent: { format: boolean }): boolean {
  const features = featuresOf(model)
  if (features.usageInStream && /stream_options|include_usage/i.test(refusal)) features.usageInStream = false
  else if (features.temperature && /temperature/i.test(refusal)) features.temperature = false
  else if (sent.format && features.format !== 'none' && FORMAT.test(refusal))
    features.format = features.format === 'schema' ? 'json' : 'none'
  else return false
  return true
}
