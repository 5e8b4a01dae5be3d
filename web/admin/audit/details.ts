/** What a line of the log says beside the deed, in words: `name: from → to` for what was changed, `name: value` for the rest. */
export function readDetails(details: Record<string, unknown>): string[] {
  return Object.entries(details).flatMap(([key, value]) => {
    if (value === null || value === undefined) return []
    const name = key.replaceAll('_', ' ')
    if (isChange(value)) return [`${name}: ${inWords(value.from)} → ${inWords(value.to)}`]
    return [`${name}: ${inWords(value)}`]
  })
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
