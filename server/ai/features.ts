import { providerUrl } from './provider.ts'

/**
 * Servers of the protocol support different parameters. Every model starts with all; a parameter that the server
 * refuses by name is omitted for that model from then on, until the process ends.
 */
export interface Features {
  format: 'schema' | 'json' | 'none'
  usageInStream: boolean
  temperature: boolean
}

const known = new Map<string, Features>()

/** Returns the supported parameters of this model of this provider. */
export function featuresOf(model: string): Features {
  const key = `${providerUrl()} ${model}`
  const found = known.get(key) ?? { format: 'schema', usageInStream: true, temperature: true }
  known.set(key, found)
  return found
}

const FORMAT = /response_format|json_schema|json_object|json schema|structured output|guided|grammar/i

/**
 * Omits the parameters that the refusal names; returns false when it names none that was sent, so that a retry is
 * useless.
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
