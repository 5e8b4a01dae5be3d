import { providerUrl } from './provider.ts'

/**
 * Servers that speak the protocol differ in what they take. Each starts with everything; what one refuses by name is
 * left out for that model from then on, as long as the process lives.
 */
export interface Features {
  format: 'schema' | 'json' | 'none'
  usageInStream: boolean
  temperature: boolean
}

const known = new Map<string, Features>()

/** What may be sent to this model of this provider. */
export function featuresOf(model: string): Features {
  const key = `${providerUrl()} ${model}`
  const found = known.get(key) ?? { format: 'schema', usageInStream: true, temperature: true }
  known.set(key, found)
  return found
}

const FORMAT = /response_format|json_schema|json_object|json schema|structured output|guided|grammar/i

/** Leaves out what the refusal names; false when it names nothing that was sent, so that asking again is no use. */
export function learnFromRefusal(model: string, refusal: string, sent: { format: boolean }): boolean {
  const features = featuresOf(model)
  if (features.usageInStream && /stream_options|include_usage/i.test(refusal)) features.usageInStream = false
  else if (features.temperature && /temperature/i.test(refusal)) features.temperature = false
  else if (sent.format && features.format !== 'none' && FORMAT.test(refusal))
    features.format = features.format === 'schema' ? 'json' : 'none'
  else return false
  return true
}
